"""A ladder that lives: bots are submitted, replaced and retired, and a run comes round now and then, without processes.

`whole_season` is the story that tests of ladders, imports and pages tell: twelve bots, five rounds, two late entries,
one new version, one retirement.
"""

import asyncio
from pathlib import Path

from harness.cup import CupFile, read_cup
from harness.roster import HomeRoster
from harness.store.home import Home, make_home
from harness.store.ledger import Ledger
from harness.tournament import CupRun, play_cup
from harness.workshop.entry import BotFinder, store_bot
from tests.in_process import InProcess, Notes
from tests.workshop.folders import bot_folder

CUP = """\
schema = 1
[cup]
name = "ladder"
title = "A ladder that lives"
season = "{season}"
game = "zhiletka"
seats = 3
matches_per_bot = {matches_per_bot}
duplicate = true
bots = ["submitted"]
house = ["sample:stateless"]
anchor = {{ "sample:stateless" = 1500 }}
ranked_after = 12
seed = 7
[publish]
replays = "{replays}"
"""
FIRST = ("ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen", "ibis", "jay")
LATE = ("kea", "lynx")
STUMBLE_PERCENT = {name: 3 * number for number, name in enumerate([*FIRST, *LATE])}
NS_PER_DAY = 86_400 * 1_000_000_000


class LivingLadder:
    """A home with a ladder in `folder`. Close it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = make_home(Home(folder / ".cardarena", "a test's own"))
        self.ledger = Ledger(self.home.ledger, create=True)
        self.clock_unix_ns = 1_770_000_000_000_000_000
        self.season = "spring"
        self.matches_per_bot = 24
        self.replays = "round"

    def close(self) -> None:
        """Closes the ledger."""
        self.ledger.close()

    @property
    def cup(self) -> CupFile:
        """The cup file as it is now."""
        path = self.folder / "ladder.toml"
        path.write_text(CUP.format(season=self.season, matches_per_bot=self.matches_per_bot, replays=self.replays))
        return read_cup(path)

    def submit(self, *names: str, version: str = "1.0") -> None:
        """Each of a team of its own, a day apart."""
        for name in names:
            folder = bot_folder(self.folder / "inbox" / version, name, version=version, code=f"# {version}\n")
            bot = BotFinder(self.folder, self.home, self.ledger.versions).one(str(folder))
            self.clock_unix_ns += NS_PER_DAY
            store_bot(bot, self.home, self.ledger.versions, at_unix_ns=self.clock_unix_ns, submitted_by=f"team-{name}")

    def retire(self, name: str, version: str | None = None) -> None:
        """Takes it out of the rounds to come."""
        self.clock_unix_ns += NS_PER_DAY
        self.ledger.versions.retire(name, version, at_unix_ns=self.clock_unix_ns)

    def run(self, *, stop_after: int | None = None) -> CupRun:
        """What `cardarena run` would play."""
        arena = InProcess(stumble_percent=STUMBLE_PERCENT, stop_after=stop_after)
        roster = HomeRoster(self.home, self.ledger.versions, self.folder)
        return asyncio.run(play_cup(self.cup, self.ledger, roster, Notes(), arena.opener()))


def whole_season(folder: Path) -> LivingLadder:
    """The ladder after its five rounds."""
    ladder = LivingLadder(folder)
    ladder.submit(*FIRST)
    ladder.run()
    for late in LATE:
        ladder.submit(late)
        ladder.run()
    ladder.submit("bee", version="2.0")
    ladder.run()
    ladder.retire("cat")
    ladder.matches_per_bot = 30
    ladder.run()
    return ladder
