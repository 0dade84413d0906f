"""Who meets whom, in which seats, with which deals: a pure function of its arguments.

`make_schedule` is the way in; all chance comes from the `harness.deals.Chance` it is given.
"""

from harness.schedule.balance import Balance, SizeBalance, Span
from harness.schedule.formats import (
    FORMATS,
    HEAT_MATCHES,
    MAX_MATCHES,
    Format,
    ImpossibleSchedule,
    apart,
    make_schedule,
)
from harness.schedule.schedule import Heat, Schedule, Table

__all__ = [
    "FORMATS",
    "HEAT_MATCHES",
    "MAX_MATCHES",
    "Balance",
    "Format",
    "Heat",
    "ImpossibleSchedule",
    "Schedule",
    "SizeBalance",
    "Span",
    "Table",
    "apart",
    "make_schedule",
]
