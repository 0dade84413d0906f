"""Options of games: from Python or from text, and refused by name."""

import pickle

import pytest

from harness.games import GAME_NAMES, game
from harness.games.game import OptionValue
from harness.games.options import OptionReader


def reader(**given: OptionValue) -> OptionReader:
    return OptionReader("whist", given)


def test_an_option_that_is_not_given_stands_at_its_default() -> None:
    options = reader()

    assert options.word("tie", "split", "eldest") == "split"
    assert options.flag("nullo", default=True) is True
    assert options.whole("ante", default=60, step=60, most=600) == 60
    assert options.differing() == ()


@pytest.mark.parametrize("nullo", [False, "false"])
@pytest.mark.parametrize("ante", [120, "120"])
def test_values_and_their_texts_are_the_same(nullo: OptionValue, ante: OptionValue) -> None:
    options = reader(nullo=nullo, ante=ante, tie="eldest")

    assert options.word("tie", "split", "eldest") == "eldest"
    assert options.flag("nullo", default=True) is False
    assert options.whole("ante", default=60, step=60, most=600) == 120
    assert options.differing() == (("ante", 120), ("nullo", False), ("tie", "eldest"))


def test_a_value_equal_to_the_default_is_not_a_difference() -> None:
    options = reader(tie="split", nullo="true", ante="60")
    options.word("tie", "split", "eldest")
    options.flag("nullo", default=True)
    options.whole("ante", default=60, step=60, most=600)

    assert options.differing() == ()


@pytest.mark.parametrize("value", ["Split", "", "splitt", True, 1])
def test_a_word_is_one_of_those_offered(value: OptionValue) -> None:
    options = reader(tie=value)
    options.word("tie", "split", "eldest")
    with pytest.raises(ValueError, match=rf"whist option tie cannot be {value!r}.*\(split, eldest\)"):
        options.differing()


@pytest.mark.parametrize("value", ["True", "yes", "", 0, 1, "0"])
def test_a_flag_is_true_or_false(value: OptionValue) -> None:
    options = reader(nullo=value)
    options.flag("nullo", default=True)
    with pytest.raises(ValueError, match=rf"whist option nullo cannot be {value!r}.*\(true, false\)"):
        options.differing()


@pytest.mark.parametrize(
    "value", [0, -60, 90, True, 660, "90", "660", "9" * 5000, "-60", "+60", "6e1", "60.0", " 60", "٦٠", ""]
)
def test_a_number_is_a_positive_multiple_of_its_step_and_not_over_its_bound(value: OptionValue) -> None:
    options = reader(ante=value)
    options.whole("ante", default=60, step=60, most=600)
    with pytest.raises(
        ValueError, match=r"whist option ante cannot be .* \(a positive multiple of 60, 600 at the most\)"
    ):
        options.differing()


def test_a_close_value_or_name_is_suggested() -> None:
    options = reader(tie="oldest", anté=60)
    options.word("tie", "split", "eldest")
    options.whole("ante", default=60, step=60, most=600)
    with pytest.raises(ValueError, match=r"did you mean 'eldest'.*whist has no option 'anté'; did you mean 'ante'"):
        options.differing()


def test_all_that_is_wrong_is_told_at_once() -> None:
    options = reader(ante=-5, nullo="no", foo=1)
    options.whole("ante", default=60, step=60, most=600)
    options.flag("nullo", default=True)
    with pytest.raises(
        ValueError, match=r"ante cannot be -5.*; whist option nullo cannot be 'no'.*; whist has no option"
    ):
        options.differing()


def test_a_name_like_no_other_is_refused_with_all_there_are() -> None:
    options = reader(colour="red")
    options.whole("ante", default=60, step=60, most=600)
    options.flag("nullo", default=True)

    with pytest.raises(ValueError, match=r"whist has no option 'colour' \(there are ante, nullo\)"):
        options.differing()


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_game_can_be_handed_to_another_process(name: str) -> None:
    pickled = pickle.dumps(game(name))
    there = pickle.loads(pickled)

    assert there is pickle.loads(pickled)
    assert there.start(4, 1) == game(name).start(4, 1)
    assert there.deal_count(4) == game(name).deal_count(4)
