"""A bot's process and the wire, with a real gRPC server at the other end."""

import socket
import subprocess
import sys
from collections.abc import Iterator

import grpc
import pytest

from harness import games, local
from harness.bot import Bot, View, run
from harness.bot.client import play_until_goodbye
from harness.games.game import Action
from harness.match import Match
from harness.wire import arena_pb2 as pb
from harness.wire import codec
from tests.bot.solo_arena import TOKEN, Lowest, Script, arena, match_script
from tests.bot.witness import RandomBot

Requests = Iterator[pb.PlayRequest]


@pytest.fixture(autouse=True)
def _is_heard_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """However late a busy machine runs the arena's threads, which are in this process."""
    monkeypatch.setattr("harness.bot.client.FLUSH_S", 60.0)


def play(
    script: Script, bot: type[Bot], monkeypatch: pytest.MonkeyPatch, *, token: str = TOKEN, unix: bool = True
) -> str | None:
    with arena(script, unix=unix) as address:
        monkeypatch.setenv("CARDARENA_ADDRESS", address)
        monkeypatch.setenv("CARDARENA_TOKEN", token)
        return play_until_goodbye(bot)


def asked(*actions: Action) -> bytes:
    started = codec.started_fragment(1, game="guillotine", rules_version="1", seat=0, seat_count=4, bot_seed=1)
    return codec.batch_message(
        [started, codec.update_fragment(codec.match_id_bytes(1) + codec.request_bytes(8, actions, None))]
    )


@pytest.mark.slow
@pytest.mark.parametrize("unix", [True, False])
def test_a_match_over_the_wire_is_the_match_in_process(monkeypatch: pytest.MonkeyPatch, unix: bool) -> None:
    played: list[Match] = []
    script = match_script(games.game("guillotine"), 4, seed=6, match_id=local.LOCAL_MATCH, played=played)

    failure = play(script, RandomBot, monkeypatch, unix=unix)

    record = local.play("guillotine", [RandomBot, Lowest, Lowest, Lowest], seed=6)
    assert failure is None
    assert [tuple(deal.actions) for deal in played[0].deals] == [deal.actions for deal in record.deals]


def test_messages_before_the_end_are_all_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []

    class Listener(Lowest):
        def on_over(self, view: View) -> None:
            heard.append(view.info.match_id)

    def script(requests: Requests, context: grpc.ServicerContext) -> Iterator[bytes]:
        yield asked(5, 6)
        for _ in range(50):
            yield codec.ping_message(1)
        yield codec.batch_message([codec.over_fragment(1, pb.MATCH_END_FINISHED, (), ())])

    assert play(script, Listener, monkeypatch) is None
    assert heard == [1]


def test_a_stream_ended_in_order_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(requests: Requests, context: grpc.ServicerContext) -> Iterator[bytes]:
        next(requests)
        yield codec.welcome_message("fox", "1")

    assert play(script, Lowest, monkeypatch) is None


def test_nothing_more_is_sent_after_a_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[pb.PlayRequest] = []

    def script(requests: Requests, context: grpc.ServicerContext) -> Iterator[bytes]:
        next(requests)
        yield codec.goodbye_message("done")
        left.extend(requests)

    assert play(script, Lowest, monkeypatch) is None
    assert left == []


def test_a_wrong_token_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(requests: Requests, context: grpc.ServicerContext) -> Iterator[bytes]:
        yield codec.welcome_message("fox", "1")

    failure = play(script, Lowest, monkeypatch, token="wrong")

    assert failure is not None
    assert "UNAUTHENTICATED: no such token (is CARDARENA_TOKEN" in failure
    assert "\n" not in failure


@pytest.mark.parametrize("code", [grpc.StatusCode.ALREADY_EXISTS, grpc.StatusCode.INTERNAL])
def test_a_refusal_is_explained_also_while_the_bot_is_answering(
    monkeypatch: pytest.MonkeyPatch, code: grpc.StatusCode
) -> None:
    def script(requests: Requests, context: grpc.ServicerContext) -> Iterator[bytes]:
        next(requests)
        yield asked(5, 6)
        context.abort(code, "not\nnow")

    failure = play(script, Lowest, monkeypatch)

    assert failure is not None
    assert f"{code.name}: not now" in failure


def test_nobody_at_the_address_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: connections are refused
        monkeypatch.setenv("CARDARENA_ADDRESS", f"127.0.0.1:{taken.getsockname()[1]}")
        monkeypatch.setenv("CARDARENA_TOKEN", TOKEN)
        failure = play_until_goodbye(Lowest)

    assert failure is not None
    assert "UNAVAILABLE" in failure
    assert "is the harness running" in failure


def test_what_a_bot_raises_ends_its_process_after_the_answers_before_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    received: list[int] = []

    class Broken(Lowest):
        def choose(self, view: View) -> Action:
            return view.actions[2 * view.info.match_id]  # none in match 1

    def script(requests: Requests, context: grpc.ServicerContext) -> Iterator[bytes]:
        next(requests)
        starts = [
            codec.started_fragment(match, game="guillotine", rules_version="1", seat=0, seat_count=4, bot_seed=1)
            for match in (0, 1)
        ]
        asks = [
            codec.update_fragment(codec.match_id_bytes(match) + codec.request_bytes(8, (5, 6), None))
            for match in (0, 1)
        ]
        yield codec.batch_message(starts + asks)
        received.extend(decision.match_id for request in requests for decision in request.decisions.decisions)

    with arena(script) as address:
        monkeypatch.setenv("CARDARENA_ADDRESS", address)
        monkeypatch.setenv("CARDARENA_TOKEN", TOKEN)
        with pytest.raises(SystemExit) as ended:
            run(Broken)

    assert ended.value.code == 1
    assert received == [0]
    told = capsys.readouterr().err
    assert told.startswith("match 1 (guillotine), seat 0")
    assert told.endswith("IndexError: tuple index out of range\n")


def test_a_broken_load_is_the_authors_to_see(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Lowest):
        @classmethod
        def load(cls) -> None:
            raise FileNotFoundError("model.bin")

    def script(requests: Requests, context: grpc.ServicerContext) -> Iterator[bytes]:
        yield from (codec.ping_message(1) for _ in requests)

    with pytest.raises(FileNotFoundError, match=r"model\.bin"):
        play(script, Broken, monkeypatch)


@pytest.mark.slow
def test_a_bot_is_a_program_of_four_lines(tmp_path_factory: pytest.TempPathFactory) -> None:
    program = tmp_path_factory.mktemp("bot") / "bot.py"
    program.write_text(
        "from harness.bot import Bot, run\n"
        "class MyBot(Bot):\n"
        "    def choose(self, view): return view.actions[0]\n"
        "run(MyBot)\n"
    )
    played: list[Match] = []
    script = match_script(games.game("zhiletka"), 3, seed=1, match_id="m", played=played)

    with arena(script) as address:
        env = {"CARDARENA_ADDRESS": address, "CARDARENA_TOKEN": TOKEN}
        ended = subprocess.run([sys.executable, str(program)], env=env, capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert played[0].finished
