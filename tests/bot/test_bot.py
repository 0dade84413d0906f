"""The class that authors derive from, and `run`."""

import pytest

from harness.bot import Bot, View, run
from harness.bot.bot import load_once
from harness.games.game import Action


class Simple(Bot):
    def choose(self, view: View) -> Action:
        return view.actions[0]


def test_an_object_is_refused_with_the_mend() -> None:
    with pytest.raises(TypeError, match=r"write Simple, not Simple\(\)\. Every match gets an object of its own"):
        run(Simple())  # type: ignore[arg-type]  # the mistake that this is about


@pytest.mark.parametrize("other", [int, "Simple", None])
def test_what_is_no_bot_is_refused(other: object) -> None:
    with pytest.raises(TypeError, match=r"derived from harness\.bot\.Bot"):
        run(other)  # type: ignore[arg-type]  # the mistake that this is about


def test_a_bot_started_by_hand_is_told_what_starts_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CARDARENA_ADDRESS", raising=False)
    with pytest.raises(SystemExit) as ended:
        run(Simple)

    assert ended.value.code == 1
    assert capsys.readouterr().err.startswith("CARDARENA_ADDRESS is not set")


def test_load_is_called_once_a_process() -> None:
    loads: list[str] = []

    class Heavy(Simple):
        @classmethod
        def load(cls) -> None:
            loads.append(cls.__name__)

    load_once(Heavy)
    load_once(Heavy)

    assert loads == ["Heavy"]
