"""Which match the death of a bot costs, where it owed several answers."""

from collections.abc import Mapping, Sequence

from harness.faults import Fault

NOTHING: Mapping[int, Fault] = {}


class Inquest:
    """Finds the match that a bot's death costs. Matches are told apart by their ids.

    Nobody can see which of several answers a bot died of. So all but the one that it owed longest are **suspects**:
    they are asked again, one at a time. If it dies of one, that one it was, and costs its own match alone. If it
    answers them all, the death costs the match whose answer was owed longest, which was **held** back until then.
    """

    def __init__(self) -> None:
        self._suspects: list[int] = []
        self._held: tuple[int, Fault] | None = None

    @property
    def suspects(self) -> Sequence[int]:
        """Matches to be asked again, in this order, and nothing else beside each."""
        return self._suspects

    @property
    def held(self) -> int | None:
        """The match that is asked nothing until it is known which one pays."""
        return self._held[0] if self._held is not None else None

    def died(self, owed: Sequence[int], fault: Fault) -> Mapping[int, Fault]:
        """The bot died and owed these answers, longest first. Returns what it costs, as far as that is known now."""
        if not owed:
            return NOTHING
        if self._suspects:
            # It owed one answer alone.
            if owed[0] in self._suspects:
                self._suspects.remove(owed[0])
                if self._held is not None:
                    self._suspects.append(self._held[0])
                    self._held = None
            return {owed[0]: fault}
        if len(owed) == 1:
            return {owed[0]: fault}
        self._held = owed[0], fault
        self._suspects = list(owed[1:])
        return NOTHING

    def cleared(self, match_id: int) -> Mapping[int, Fault]:
        """The bot has answered in that match, or the match is lost to it for another fault. Returns what is due now."""
        if match_id not in self._suspects:
            return NOTHING
        self._suspects.remove(match_id)
        if self._suspects or self._held is None:
            return NOTHING
        (held, fault), self._held = self._held, None
        return {held: fault}

    def void(self, match_id: int) -> Mapping[int, Fault]:
        """That match counts for nothing: it cannot be what the bot died of, nor pay for it. Returns what is due now."""
        if self.held == match_id:
            self._held = None
        return self.cleared(match_id)
