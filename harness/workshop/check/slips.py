"""Slips of authors, known by what their bots answered: an index for an action, a missing id, no answer at all."""

from collections.abc import Sequence

from google.protobuf.message import DecodeError

from harness.faults import FaultKind
from harness.wire import arena_pb2 as pb
from harness.workshop.check.traffic import Talk

_CARDS = "a card is suit * 13 + rank (clubs, diamonds, hearts, spades; two to ace): 49 is the queen of spades"


def mend_of_answer(kind: FaultKind, talk: Talk) -> str:
    """The mend for a fault of this kind in `talk`; "" where none is known."""
    if kind is FaultKind.ILLEGAL_ACTION and talk.request is not None and talk.decision is not None:
        return _of_action(talk.request.request.legal_actions, talk.decision.action)
    if kind is FaultKind.PROTOCOL and talk.request is not None:
        return _of_id(talk.request, talk.last)
    if kind is FaultKind.TIMEOUT:
        return (
            "answer before anything else: neither `choose` nor what is called for a message of the stream may wait for "
            "another message, a lock or the network; what takes long must look at the clock"
        )
    return ""


def _of_action(legal: Sequence[int], action: int) -> str:
    if 0 <= action < len(legal):
        return (
            f"answer with one of legal_actions (view.actions) itself, not with its place in the list: place {action} "
            f"holds the action {legal[action]}"
        )
    return f"answer with one of legal_actions (view.actions); {_CARDS}"


def _of_id(request: pb.Update, last: bytes) -> str:
    try:
        answers = pb.PlayRequest.FromString(last).decisions.decisions
    except DecodeError:
        return ""
    wrong = [answer for answer in answers if answer.match_id == request.match_id]
    if not wrong or wrong[-1].decision_id == request.request.decision_id:
        return ""
    what = "has none" if not wrong[-1].decision_id else "has another"
    return (
        f"copy decision_id from the request: it was {request.request.decision_id}, the answer {what} (64 bits: a "
        "JavaScript number is too short for it)"
    )
