"""A bot's side of the conversation, told as stories: messages in, messages out."""

import gc
from typing import ClassVar

import pytest

from harness.bot.bot import Bot, FaultNotice
from harness.bot.stream import HOLD_NS, MOST_GATHERED, BotRaised, BotStream
from harness.bot.view import Result, View
from harness.cards import EMPTY
from harness.faults import FaultKind
from harness.games.game import ROYALTY, Acted, Action
from harness.games.view import HandDealt, SeatView
from harness.wire import arena_pb2 as pb
from harness.wire import codec

HAND = HandDealt(0, 0, 1 << 5 | 1 << 6, EMPTY)  # 7C 8C


def started(match_id: int, *, bot_seed: int = 1) -> bytes:
    return codec.started_fragment(
        match_id,
        game="guillotine",
        rules_version="1",
        seat=0,
        seat_count=4,
        bot_seed=bot_seed,
        options=(("ace_bonus", "one"),),
        bank_ns=20_000_000_000,
        increment_ns=50_000_000,
    )


def asked(match_id: int, *actions: Action, events: bytes = b"", clock_ns: int | None = None) -> bytes:
    return codec.update_fragment(
        codec.match_id_bytes(match_id) + events + codec.request_bytes(1000 + match_id, actions, clock_ns)
    )


def over(match_id: int) -> bytes:
    return codec.over_fragment(match_id, pb.MATCH_END_FINISHED, (100, 90, 110, 100), (2, 1, 4, 2))


def say(stream: BotStream, *fragments: bytes) -> list[list[tuple[int, int]]]:
    """Decisions, as (match_id, action), of each message that answers a batch."""
    answers = list(stream.answers_to(pb.PlayResponse.FromString(codec.batch_message(fragments))))
    return [[(decision.match_id, decision.action) for decision in answer.decisions.decisions] for answer in answers]


def hear(stream: BotStream, *messages: bytes) -> list[pb.PlayRequest]:
    """All answers to these messages."""
    return [answer for raw in messages for answer in stream.answers_to(pb.PlayResponse.FromString(raw))]


class Diary(Bot):
    """Plays the last action and writes down what it is called with."""

    lines: ClassVar[list[tuple[object, ...]]]

    def __init__(self) -> None:
        self.choices = 0

    def on_start(self, view: View) -> None:
        self.lines.append(("start", view.info.match_id, view.actions))

    def choose(self, view: View) -> Action:
        self.choices += 1
        self.lines.append(("choose", view.info.match_id, self.choices))
        return view.actions[-1]

    def on_over(self, view: View) -> None:
        self.lines.append(("over", view.info.match_id, view.result))

    def on_fault(self, view: View, fault: FaultNotice) -> None:
        self.lines.append(("fault", view.info.match_id, fault))


@pytest.fixture
def diary() -> type[Diary]:
    class Fresh(Diary):
        lines: ClassVar[list[tuple[object, ...]]] = []

    return Fresh


def test_hello_says_what_the_class_says() -> None:
    class Picky(Bot):
        games = ("zhiletka",)
        snapshot = True
        max_matches = 3
        version = "1.2"

    hello = BotStream(Picky).hello().hello

    assert (list(hello.games), hello.max_match_count, hello.bot_version) == (["zhiletka"], 3, "1.2")
    assert hello.observation_mode == pb.OBSERVATION_MODE_SNAPSHOT


def test_hello_of_a_plain_class_leaves_games_and_matches_to_its_manifest() -> None:
    hello = BotStream(Bot).hello().hello

    assert list(hello.games) == ["guillotine", "zhiletka"]
    assert hello.max_match_count > 1_000_000
    assert hello.observation_mode == pb.OBSERVATION_MODE_EVENTS


def test_many_matches_are_answered_in_one_message(diary: type[Diary]) -> None:
    stream = BotStream(diary)

    answers = say(stream, started(1), started(2), asked(1, 5, 6), asked(2, 5, 7))
    assert answers == [[(1, 6), (2, 7)]]


def test_every_match_has_an_object_of_its_own(diary: type[Diary]) -> None:
    stream = BotStream(diary)
    say(stream, started(1), started(2), asked(1, 5, 6), asked(2, 5, 6))
    say(stream, asked(1, 5, 6), over(2))

    assert diary.lines == [
        ("start", 1, ()),
        ("start", 2, ()),
        ("choose", 1, 1),
        ("choose", 2, 1),
        ("choose", 1, 2),
        ("over", 2, Result((100, 90, 110, 100), (2, 1, 4, 2), canceled=False)),
    ]
    assert stream.match_count == 1


def test_a_match_told_again_starts_from_nothing(diary: type[Diary]) -> None:
    stream = BotStream(diary)
    say(stream, started(1), asked(1, 5, 6, events=codec.seen_bytes(HAND)))
    say(stream, started(1), asked(1, 5, 6, events=codec.seen_bytes(HAND)))

    assert diary.lines == [("start", 1, ()), ("choose", 1, 1), ("start", 1, ()), ("choose", 1, 1)]


def test_a_fault_ends_a_match_for_the_bot(diary: type[Diary]) -> None:
    stream = BotStream(diary)
    say(stream, started(1))
    fault = pb.PlayResponse.FromString(codec.fault_message(FaultKind.TIMEOUT, 1, "too late"))
    list(stream.answers_to(fault))

    assert say(stream, asked(1, 5, 6), over(1)) == []
    assert diary.lines == [("start", 1, ()), ("fault", 1, FaultNotice(FaultKind.TIMEOUT, "too late"))]


def test_a_fault_is_told_to_the_author(capsys: pytest.CaptureFixture[str]) -> None:
    stream = BotStream(Bot)
    say(stream, started(1))
    for match_id in (1, None, 8):
        message = codec.fault_message(FaultKind.ILLEGAL_ACTION, match_id, "chose 99")
        list(stream.answers_to(pb.PlayResponse.FromString(message)))

    assert capsys.readouterr().err.splitlines() == [
        "fault in match 1 (guillotine): illegal_action: chose 99",
        "fault: illegal_action: chose 99",
    ]


def test_a_canceled_match_says_so(diary: type[Diary]) -> None:
    stream = BotStream(diary)
    say(stream, started(1), codec.over_fragment(1, pb.MATCH_END_CANCELED, (), ()))

    assert diary.lines[-1] == ("over", 1, Result((), (), canceled=True))


def test_an_illegal_number_is_the_referees_to_judge() -> None:
    class Wrong(Bot):
        def choose(self, view: View) -> Action:
            return 99

    assert say(BotStream(Wrong), started(1), asked(1, 5, 6)) == [[(1, 99)]]


@pytest.mark.parametrize("answer", [None, "7C", 5.0, True, (5,), 2**31])
def test_what_is_no_action_at_all_is_the_authors_mistake(answer: object) -> None:
    class Wrong(Bot):
        def choose(self, view: View) -> Action:
            return answer  # type: ignore[return-value]  # what an author may write by mistake

    with pytest.raises(BotRaised, match=r"choose must return one of view\.actions"):
        say(BotStream(Wrong), started(1), asked(1, 5, 6))


def test_integers_of_other_libraries_are_integers() -> None:
    class Int64:
        def __index__(self) -> int:
            return 6

    class Numeric(Bot):
        def choose(self, view: View) -> Action:
            return Int64()  # type: ignore[return-value]  # as numpy's

    assert say(BotStream(Numeric), started(1), asked(1, 5, 6)) == [[(1, 6)]]


def test_what_a_bot_raises_is_told_with_the_position() -> None:
    class Broken(Bot):
        def choose(self, view: View) -> Action:
            raise RuntimeError("no idea")

    events = b"".join(codec.seen_bytes(event) for event in (HAND, Acted(0, ROYALTY)))
    with pytest.raises(BotRaised) as raised:
        say(BotStream(Broken), started(3), asked(3, 5, 6, events=events))

    first, hand, legal, *trace = str(raised.value).splitlines()
    assert first == "match 3 (guillotine), seat 0, deal 0, action 1: choose raised"
    assert (hand, legal) == ("  hand:  7C 8C", "  legal: play:7C play:8C")
    assert trace[0].startswith("Traceback")
    assert 'bot/stream.py"' not in "".join(trace)
    assert trace[-1] == "RuntimeError: no idea"


def test_answers_chosen_before_a_crash_are_sent() -> None:
    class BreaksInMatch2(Bot):
        def choose(self, view: View) -> Action:
            return view.actions[0] // (2 - view.info.match_id)

    stream = BotStream(BreaksInMatch2)
    answers = stream.answers_to(
        pb.PlayResponse.FromString(
            codec.batch_message([started(1), started(2), started(3), asked(1, 5, 6), asked(2, 5, 6), asked(3, 5, 6)])
        )
    )

    assert [decision.match_id for decision in next(answers).decisions.decisions] == [1]
    with pytest.raises(BotRaised, match="ZeroDivisionError"):
        next(answers)


@pytest.mark.parametrize("method", ["__init__", "on_start", "on_over", "on_fault"])
def test_what_another_method_raises_is_told_too(method: str) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError("no idea")

    stream = BotStream(type("Broken", (Bot,), {method: broken}))
    messages = [codec.batch_message([started(1)]), codec.fault_message(FaultKind.TIMEOUT, 1, "late")]
    if method == "on_over":
        messages[1] = codec.batch_message([over(1)])

    with pytest.raises(BotRaised, match=f"{method} raised"):
        hear(stream, *messages)


def test_news_that_nobody_reads_keep_no_object_for_each_update() -> None:
    class Blind(Bot):
        def choose(self, view: View) -> Action:
            return view.actions[0]

    def updates() -> int:
        return sum(type(kept) is pb.Update for kept in gc.get_objects())

    stream = BotStream(Blind)
    say(stream, started(1))
    gc.collect()  # what other tests have left
    before = updates()
    for _ in range(20):
        say(stream, asked(1, 5, 6, events=codec.seen_bytes(Acted(0, 7))))

    assert updates() <= before


def test_a_batch_that_takes_long_is_answered_in_parts() -> None:
    now_ns = 0

    class Slow(Bot):
        def choose(self, view: View) -> Action:
            nonlocal now_ns
            now_ns += HOLD_NS * 2 // 5
            return view.actions[0]

    stream = BotStream(Slow, lambda: now_ns)
    matches = range(1, 8)

    answers = say(stream, *map(started, matches), *(asked(match, 5, 6) for match in matches))
    assert [[match for match, _ in answer] for answer in answers] == [[1, 2, 3], [4, 5, 6], [7]]


def test_no_message_outgrows_what_the_harness_reads() -> None:
    class Talker(Bot):
        def choose(self, view: View) -> Action:
            view.note("x" * 300)
            return view.actions[0]

    stream = BotStream(Talker, lambda: 0)
    matches = [2**62 + match for match in range(MOST_GATHERED * 2 + 1)]
    batch = codec.batch_message([*map(started, matches), *(asked(match, 3000, 3001) for match in matches)])

    sizes = [len(answer.SerializeToString()) for answer in stream.answers_to(pb.PlayResponse.FromString(batch))]
    assert len(sizes) == 3
    assert max(sizes) < 64 * 1024


def test_a_note_rides_with_its_own_decision() -> None:
    class Talker(Bot):
        def choose(self, view: View) -> Action:
            if view.info.match_id == 1:
                view.note("lowest")
                view.note("of two")
            return view.actions[0]

    stream = BotStream(Talker)
    for batch in ([started(1), started(2), asked(1, 5, 6), asked(2, 5, 6)], [asked(1, 5, 6)]):
        (answer,) = stream.answers_to(pb.PlayResponse.FromString(codec.batch_message(batch)))

        assert answer.decisions.decisions[0].note == "lowest of two"
        assert all(not decision.note for decision in answer.decisions.decisions[1:])


def test_the_view_knows_its_match_and_its_clock() -> None:
    seen: list[View] = []

    class Looker(Bot):
        def choose(self, view: View) -> Action:
            seen.append(view)
            assert view.clock_s == 19.5
            assert view.actions == (5, 6)
            return 5

    stream = BotStream(Looker)
    say(stream, started(1, bot_seed=2**64 - 1), asked(1, 5, 6, clock_ns=19_500_000_000))

    (view,) = seen
    assert view.info.bot_seed == 2**64 - 1
    assert (view.info.bank_s, view.info.increment_s) == (20.0, 0.05)
    assert view.options == {"ace_bonus": "one"}
    assert (view.actions, view.clock_s) == ((), None)


def test_a_snapshot_bot_reads_the_observation_alone() -> None:
    seen: list[tuple[object, ...]] = []

    class Stateless(Bot):
        snapshot = True

        def choose(self, view: View) -> Action:
            seen.append((view.card_names(view.hand), view.points, view.random.next()))
            return 5

        def on_over(self, view: View) -> None:
            seen.append((view.points, view.result))

    fold = SeatView(0, 4, 32)
    fold.see(HAND)
    fold.points = [1, 2, 3, 4]
    stream = BotStream(Stateless)
    for fragments in ([started(1, bot_seed=1234567)], []):
        say(stream, *fragments, asked(1, 5, 6, events=codec.observation_bytes(fold)))
    say(stream, over(1))

    points = (100, 90, 110, 100)
    assert seen == [
        ("7C 8C", (1, 2, 3, 4), 6457827717110365317),
        ("7C 8C", (1, 2, 3, 4), 3203168211198807973),
        (points, Result(points, (2, 1, 4, 2), canceled=False)),
    ]


def test_a_ping_is_answered_and_a_goodbye_ends_it() -> None:
    stream = BotStream(Bot)
    answers = [
        answer
        for raw in (codec.welcome_message("fox", "s1"), codec.ping_message(7), codec.goodbye_message("done"))
        for answer in stream.answers_to(pb.PlayResponse.FromString(raw))
    ]

    assert [answer.pong.nonce for answer in answers] == [7]
    assert stream.ended


def test_a_bot_without_choose_is_told_so() -> None:
    with pytest.raises(BotRaised, match="Bot has no `choose`"):
        say(BotStream(Bot), started(1), asked(1, 5, 6))
