"""What an earlier run has played of a round, so that a later one judges bots as if it had played that itself."""

from collections.abc import Iterator, Sequence

from harness.arena.specs import Withdrawal
from harness.conduct import Conduct
from harness.faults import ABSENT, FaultKind
from harness.round import RoundPlan
from harness.schedule import Table
from harness.store.ledger import Ledger
from harness.store.rows import parse_match_id


class Recollection:
    """The faults of a round's matches that were in the ledger when it was made."""

    def __init__(self, plan: RoundPlan, ledger: Ledger) -> None:
        self._plan = plan
        self._faults: dict[int, dict[str, FaultKind]] = {}
        """By number of the match and label."""
        self._absent: dict[int, set[str]] = {}
        """By number of the match: labels for which the house played."""
        for result in ledger.results(plan.cup.name, plan.number):
            if any(result.faults):
                number = parse_match_id(result.match)[2]
                told = {entry.label: fault for entry, fault in zip(result.entries, result.faults, strict=True) if fault}
                self._absent[number] = {label for label, fault in told.items() if fault == ABSENT}
                self._faults[number] = {label: FaultKind(fault) for label, fault in told.items() if fault != ABSENT}

    def tell(self, conduct: Conduct, finished: Sequence[Table], due: Sequence[Table]) -> Iterator[Withdrawal]:
        """Tells `conduct` what a phase is made of: the tables that are `finished`, and those that are `due` now.

        Gives back who is to be withdrawn for what was played: somebody where the earlier run was killed before it could
        write that down.
        """
        ended = {table.number for table in finished}
        for table in sorted([*finished, *due], key=lambda table: table.number):
            match, absent = self._plan.match_id(table), self._absent.get(table.number, set())
            labels = [label for label in self._plan.labels(table) if label not in absent]
            conduct.expect(match, labels)
            if table.number in ended:
                for label, fault in conduct.ended(match, labels, self._faults.get(table.number, {})).items():
                    yield Withdrawal(label, fault, ())
