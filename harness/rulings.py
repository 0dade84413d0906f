"""The organiser's rulings before they are written down: whom they concern, and why one may not be made.

A ruling changes no result. A void match takes its block with it, and the next run plays the block again with new
deals; a withdrawn bot plays no more and takes no rank.
"""

from collections.abc import Iterable, Sequence

from harness.agenda import banned, replay_of, settings_of, voids_of
from harness.counting import block_number, rounds_of_season
from harness.cup import CupFile
from harness.errors import HarnessError
from harness.faults import ABSENT
from harness.names import MAX_REASON_CHARACTERS, did_you_mean, why_not_a_reason
from harness.printable import printable
from harness.store.ledger import Ledger
from harness.store.rows import Ruling, RulingKind, parse_match_id


def voids(ledger: Ledger, matches: Sequence[str], reason: str, *, at_unix_ns: int) -> tuple[Ruling, ...]:
    """Rulings that make `matches` void, one for each block, in the order given. Nothing is written.

    HarnessError for a match that is not in the ledger or is void already, and for a reason that cannot be shown.
    """
    _check_reason(reason)
    rulings: dict[tuple[str, int, int], Ruling] = {}
    for match in matches:
        record = ledger.record(match)
        cup, round, number = parse_match_id(record.match)
        block = ledger.rulings.block_of(cup, round, number)
        assert block is not None
        earlier = voids_of(ledger, cup).ruling_on(round, block)
        if earlier is not None:
            raise HarnessError(f"{match} is void already, by ruling {earlier.ruling} on {earlier.match}")
        rulings.setdefault(
            (cup, round, block),
            Ruling(0, RulingKind.VOID, cup, round, reason, at_unix_ns, number=number, block=block),
        )
    return tuple(rulings.values())


def withdrawals(ledger: Ledger, cup: CupFile, bot: str, reason: str, *, at_unix_ns: int) -> tuple[Ruling, ...]:
    """Rulings that withdraw `bot` from the season of `cup`: the entry of that label, else all of that name.

    Each in the newest round that it was entered in, as the version that it was there. Nothing is written. HarnessError
    where there is none or it was withdrawn before.
    """
    _check_reason(reason)
    newest = {
        entry.label: (row.round, entry)
        for row in rounds_of_season(ledger, cup)
        if replay_of(row) is None
        for entry in ledger.entries(cup.name, row.round)
    }
    labels = [bot] if bot in newest else [label for label, (_, entry) in newest.items() if entry.name == bot]
    if not labels:
        raise HarnessError(f"{printable(bot)} does not play in {cup.name}; {did_you_mean(bot, sorted(newest))}")
    out = banned(ledger, cup)
    rulings = []
    for label in labels:
        round, entry = newest[label]
        earlier = out.get((label, entry.sha256))
        if earlier is not None:
            raise HarnessError(f"{label} {entry.version} is withdrawn already, by ruling {earlier.ruling}")
        rulings.append(Ruling(0, RulingKind.WITHDRAW, cup.name, round, reason, at_unix_ns, label=label))
    return tuple(rulings)


def undone(ledger: Ledger, number: int, *, at_unix_ns: int) -> Ruling:
    """Ruling `number` as it will be once it is undone. Nothing is written.

    HarnessError where it cannot be undone: there is none, it was before, or what is void was not played to its end.
    """
    ruling = ledger.rulings.undoable(number)
    if ruling.block is not None:
        row = ledger.round(ruling.cup, ruling.round)
        kept = [result for result in ledger.results(ruling.cup, ruling.round) if block_number(result) == ruling.block]
        size = len(kept[0].entries) if settings_of(row).cup.duplicate else 1
        if row.ended_unix_ns is not None and len(kept) < size:
            raise HarnessError(
                f"ruling {number} stands: {len(kept)} of the {size} matches of its block were played when it was made, "
                "and its round has ended"
            )
    return ruling._replace(undone_unix_ns=at_unix_ns)


def absences(ledger: Ledger, ruling: Ruling) -> int:
    """How many matches the house has played in the seat of the bot that `ruling` withdraws: undoing changes none."""
    cup = settings_of(ledger.round(ruling.cup, ruling.round))
    entered = {entry.label: entry for entry in ledger.entries(ruling.cup, ruling.round)}
    out = entered[ruling.label or ""]
    return sum(
        (entry.label, entry.sha256, fault) == (out.label, out.sha256, ABSENT)
        for row in rounds_of_season(ledger, cup)
        if not any(gone.label == out.label for gone in ledger.withdrawals(row.cup, row.round))
        for result in ledger.results(row.cup, row.round)
        for entry, fault in zip(result.entries, result.faults, strict=True)
    )


def with_changes(rulings: Iterable[Ruling], changed: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """`rulings` with those of `changed` in the place of what has their number, and new ones (0) at the end."""
    changes = list(changed)
    by_number = {ruling.ruling: ruling for ruling in changes if ruling.ruling}
    return (
        *(by_number.get(ruling.ruling, ruling) for ruling in rulings),
        *(ruling for ruling in changes if not ruling.ruling),
    )


def _check_reason(reason: str) -> None:
    why_not = why_not_a_reason(reason, MAX_REASON_CHARACTERS)
    if why_not is not None:
        raise HarnessError(f"--reason {why_not}")
