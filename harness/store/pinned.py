"""What a ledger knows of a cup but for its matches: rounds and versions of bots, as values that travel between ledgers.

A published site has them in `rounds.json`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, model_validator

from harness.errors import HarnessError
from harness.faults import FaultKind
from harness.match import TimeControl
from harness.names import why_not_a_name, why_not_a_team, why_not_a_version
from harness.printable import printable
from harness.store.ledger import Ledger
from harness.store.rows import Entry, Role, Round, Ruling, RulingKind, Version, Withdrawal
from harness.store.schema import MATCHES_PER_ROUND
from harness.toml_file import AsTuple, Table, TomlError, build, canonical_json, checked_by
from harness.workshop.manifest import BotTable


@dataclass(frozen=True)
class PinnedRound:
    """What a round pinned, committed to and revealed. `row.secret` may be known before it is revealed."""

    row: Round
    entries: tuple[Entry, ...]
    withdrawals: tuple[Withdrawal, ...]
    rulings: tuple[Ruling, ...]
    match_count: int
    """Matches that were kept of it where it comes from."""

    @property
    def where(self) -> str:
        """`spring, round 2`."""
        return f"{self.row.cup}, round {self.row.round}"

    def members(self) -> dict[str, object]:
        """The same for JSON."""
        row = self.row
        return {
            "round": row.round,
            "settings": json.loads(row.settings),
            "budget": None if row.budget is None else json.loads(row.budget),
            "schedule_sha256": row.schedule_sha256,
            "commitment": row.commitment,
            "secret": None if row.secret is None else row.secret.hex(),
            "started_unix_ns": row.started_unix_ns,
            "ended_unix_ns": row.ended_unix_ns,
            "revealed_unix_ns": row.revealed_unix_ns,
            "match_count": self.match_count,
            "entries": [_entry_members(entry) for entry in self.entries],
            "withdrawals": [vars(gone) for gone in self.withdrawals],
            "rulings": [_ruling_members(ruling) for ruling in self.rulings],
        }


def pinned_round(ledger: Ledger, row: Round) -> PinnedRound:
    """A round of `ledger`; its secret only once that is revealed."""
    return PinnedRound(
        row,
        ledger.entries(row.cup, row.round),
        ledger.withdrawals(row.cup, row.round),
        tuple(ruling for ruling in ledger.rulings.of_cup(row.cup) if ruling.round == row.round),
        ledger.match_count(row.cup, row.round),
    )


class PinnedCup(NamedTuple):
    """Rounds of a cup, and the versions of bots that are known there."""

    rounds: tuple[PinnedRound, ...]
    versions: tuple[Version, ...]
    """Without their files (`Version.is_here`)."""


def versions_of(ledger: Ledger, rounds: Sequence[PinnedRound]) -> Iterator[Version]:
    """What `ledger` knows of the bots that were entered in `rounds`: each tree once, by name, oldest first."""
    entered = {(entry.name, entry.sha256) for pinned in rounds for entry in pinned.entries}
    found = [version for key in sorted(entered) if (version := ledger.versions.get(*key)) is not None]
    yield from sorted(found, key=lambda version: (version.name, version.submitted_unix_ns or 0, version.sha256))


def rounds_text(cup: str, rounds: Sequence[PinnedRound], versions: Sequence[Version]) -> str:
    """`rounds.json`: the rounds of a cup and its bots. Of a manifest no more than `[bot]` is told."""
    members = {
        "cup": cup,
        "rounds": [pinned.members() for pinned in rounds],
        "versions": [_version_members(version) for version in versions],
    }
    return json.dumps(members, indent=1) + "\n"


def read_rounds(text: str, *, source: str) -> PinnedCup:
    """What a `rounds.json` holds. HarnessError where it is none, naming `source` and what is wrong."""
    try:
        members = json.loads(text)
        json.dumps(members, ensure_ascii=False).encode()  # an escape can name half a character, which no ledger holds
    except (ValueError, RecursionError) as error:
        why = printable(str(error))[:80]
        raise HarnessError(f"{source}: not JSON ({why}); take the file from the site again") from None
    if not isinstance(members, dict):
        raise HarnessError(f"{source}: not the rounds of a cup; take the file from the site again")
    file = _built(members, source=source)
    try:
        return PinnedCup(
            tuple(item.pinned(file.cup) for item in file.rounds), tuple(item.version_row() for item in file.versions)
        )
    except ValueError as error:  # no ledger holds NaN, infinity or half a character
        raise HarnessError(f"{source}: {printable(str(error))[:200]}; take the file from the site again") from None


def _why_not_a_label(text: str) -> str | None:
    name, sign, number = text.partition("#")
    if sign and not (number.isascii() and number.isdecimal() and len(number) <= 9):
        return "must be a bot's name, perhaps with '#' and a number behind"
    return why_not_a_name(name)


_Count = Annotated[int, Field(ge=0, lt=2**63)]  # what a ledger can hold
_MatchNumber = Annotated[int, Field(ge=0, lt=MATCHES_PER_ROUND)]
_Name = Annotated[str, checked_by(why_not_a_name)]
_VersionText = Annotated[str, checked_by(why_not_a_version)]
_Team = Annotated[str, checked_by(why_not_a_team)]
_Label = Annotated[str, checked_by(_why_not_a_label)]


def checked(cup: str, pinned: PinnedRound, *, source: str) -> PinnedRound:
    """`pinned` itself, held to the rules for a `rounds.json`: a ledger may come from a stranger, too. HarnessError."""
    try:
        text = rounds_text(cup, [pinned], [])
    except (ValueError, RecursionError):
        raise HarnessError(f"{source}: {pinned.where} is damaged; take the ledger from a copy") from None
    read_rounds(text, source=source)
    return pinned


def checked_version(version: Version, *, source: str) -> Version:
    """`version` itself, held to the same rules."""
    try:
        members = _version_members(version)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise HarnessError(
            f"{source}: what it tells of {printable(version.name)} is damaged; take the ledger from a copy"
        ) from None
    _built({"cup": "any", "rounds": [], "versions": [members]}, source=source)
    return version


def _why_not_a_digest(text: str) -> str | None:
    return None if re.fullmatch("[0-9a-f]{1,64}", text) else "must be a hash, in hex"


def _why_not_a_fault(text: str) -> str | None:
    return None if text in list(FaultKind) else f"must be a fault: {', '.join(FaultKind)}"


def _why_not_a_line(text: str) -> str | None:
    return None if text.isprintable() else "must be a line of text that can be shown"


_Line = Annotated[str, checked_by(_why_not_a_line)]
_Digest = Annotated[str, checked_by(_why_not_a_digest)]


class _EntryTable(Table):
    label: _Label
    name: _Name
    version: _VersionText
    sha256: _Digest
    team: _Team
    rated: bool
    role: Literal["bot", "house", "fill"]
    time_ns: Annotated[tuple[_Count, _Count, _Count], AsTuple] | None
    anchor_elo: Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)] | None = None

    def entry(self) -> Entry:
        """The value."""
        time = None if self.time_ns is None else TimeControl(*self.time_ns)
        members = self.model_dump(exclude={"role", "time_ns"})
        return Entry(**members, role=Role(self.role), time=time)


class _WithdrawalTable(Table):
    label: _Label
    kind: Annotated[str, checked_by(_why_not_a_fault)]
    detail: _Line
    at_unix_ns: _Count


class _RulingTable(Table):
    ruling: _Count
    kind: Literal["void", "withdraw", "failure"]
    number: _MatchNumber | None
    block: _MatchNumber | None
    label: str | None
    reason: str
    at_unix_ns: _Count
    undone_unix_ns: _Count | None

    @model_validator(mode="after")
    def _is_about_a_bot_or_a_match(self) -> "_RulingTable":
        is_about_a_bot = self.kind == "withdraw"
        given = [value is not None for value in (self.label, self.number, self.block)]
        if given != [is_about_a_bot, not is_about_a_bot, not is_about_a_bot]:
            what = "a bot by its label" if is_about_a_bot else "a match by number and block"
            raise ValueError(f"a ruling of the kind {self.kind} is about {what}, and nothing else")
        return self

    def row(self, cup: str, round: int) -> Ruling:
        """The value."""
        return Ruling(**self.model_dump(exclude={"kind"}), kind=RulingKind(self.kind), cup=cup, round=round)


def _why_not_hex(text: str) -> str | None:
    try:
        bytes.fromhex(text)
    except ValueError:
        return "must be bytes in hex"
    return None


class _RoundTable(Table):
    round: Annotated[int, Field(ge=1, lt=2**31)]
    settings: dict[str, object]
    budget: dict[str, object] | None = None
    schedule_sha256: _Digest
    commitment: _Digest
    secret: Annotated[str, checked_by(_why_not_hex)] | None
    started_unix_ns: _Count
    ended_unix_ns: _Count | None
    revealed_unix_ns: _Count | None
    match_count: _Count
    entries: Annotated[tuple[_EntryTable, ...], AsTuple]
    withdrawals: Annotated[tuple[_WithdrawalTable, ...], AsTuple]
    rulings: Annotated[tuple[_RulingTable, ...], AsTuple] = ()

    @model_validator(mode="after")
    def _withdraws_its_own(self) -> "_RoundTable":
        labels = {entry.label for entry in self.entries}
        if len(labels) < len(self.entries):
            raise ValueError("two entries have one name")
        for label in [*(gone.label for gone in self.withdrawals), *(ruling.label for ruling in self.rulings)]:
            if label is not None and label not in labels:
                raise ValueError(f"{label} is withdrawn and does not play in it")
        return self

    def pinned(self, cup: str) -> PinnedRound:
        """The value."""
        row = Round(
            cup=cup,
            round=self.round,
            settings=canonical_json(self.settings),
            schedule_sha256=self.schedule_sha256,
            commitment=self.commitment,
            started_unix_ns=self.started_unix_ns,
            ended_unix_ns=self.ended_unix_ns,
            revealed_unix_ns=self.revealed_unix_ns,
            secret=None if self.secret is None else bytes.fromhex(self.secret),
            budget=None if self.budget is None else canonical_json(self.budget),
        )
        entries = tuple(item.entry() for item in self.entries)
        gone = tuple(Withdrawal(**item.model_dump()) for item in self.withdrawals)
        rulings = tuple(item.row(cup, self.round) for item in self.rulings)
        return PinnedRound(row, entries, gone, rulings, self.match_count)


class _VersionTable(Table):
    name: _Name
    version: _VersionText
    sha256: _Digest
    team: _Team
    bot: BotTable
    submitted_unix_ns: _Count | None
    verdict: _Line | None
    retired_unix_ns: _Count | None
    match_think_ns: _Count | None

    @model_validator(mode="after")
    def _is_its_own(self) -> "_VersionTable":
        if (self.bot.name, self.bot.version) != (self.name, self.version):
            raise ValueError(f"{self.name} {self.version} is {self.bot.name} {self.bot.version} in its bot.toml")
        return self

    def version_row(self) -> Version:
        """The value."""
        members = self.model_dump(exclude={"bot"})
        stored_unix_ns = self.submitted_unix_ns or 0
        manifest = canonical_json({"bot": self.bot.model_dump(mode="json")})
        return Version(**members, tree="", manifest=manifest, stored_unix_ns=stored_unix_ns)


class _RoundsFile(Table):
    cup: _Name
    rounds: Annotated[tuple[_RoundTable, ...], AsTuple]
    versions: Annotated[tuple[_VersionTable, ...], AsTuple] = ()


def _built(members: Mapping[str, object], *, source: str) -> _RoundsFile:
    """The file that `members` are. HarnessError in one line, however much is wrong with them."""
    try:
        return build(members, _RoundsFile, source=source)
    except TomlError as error:
        raise HarnessError(str(error).partition("\n")[0]) from None


def _ruling_members(ruling: Ruling) -> Mapping[str, object]:
    return {name: value for name, value in ruling._asdict().items() if name not in ("cup", "round")}


def _entry_members(entry: Entry) -> Mapping[str, object]:
    members = {**vars(entry), "role": str(entry.role), "time_ns": entry.time}
    del members["time"]
    return members


def _version_members(version: Version) -> Mapping[str, object]:
    members = {**vars(version), "bot": json.loads(version.manifest)["bot"]}
    del members["tree"], members["manifest"], members["stored_unix_ns"]  # of the home, not of the bot
    return members
