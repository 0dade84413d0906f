"""Decks, lots and seeds: exact formulas, so that anybody can deal a published round again."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.cards import SEVEN, SIX, card_name, pack_from
from harness.deals import (
    DECKS_AT_ONCE,
    Chance,
    block_deck,
    bot_seed,
    commitment,
    deck,
    fields,
    first_dealer,
    schedule_chance,
    secret_from_seed,
)

SECRET = bytes(range(32))
PACK = pack_from(SEVEN)


def test_commitment_has_its_published_value() -> None:
    published = commitment(SECRET)

    assert published.hex().startswith("4a4a03ca677c")
    assert published == hashlib.sha256(b"cardarena-commit-v1\0" + SECRET).digest()


def test_seed_gives_the_secret_of_each_round() -> None:
    secrets = [secret_from_seed(42, round_number) for round_number in (1, 2)]

    assert secrets[0].hex().startswith("962eaccbb136d95c")
    assert secrets[0] != secrets[1]
    assert [len(secret) for secret in secrets] == [32, 32]


def test_deck_has_its_published_value() -> None:
    dealt = deck(SECRET, "000017", 3, PACK)

    assert " ".join(map(card_name, dealt)) == (
        "7S 9C 7H 9H KD 8H 8S QD QC KC AH 9S 8C KH 7D JH AS AC QH QS TD KS TH JC TC JD 9D AD JS 8D TS 7C"
    )


def reference_deck(secret: bytes, block: str, deal_index: int, pack: tuple[int, ...]) -> tuple[int, ...]:
    """The formulas written out once more, slowly, with nothing of the project's."""

    def field(text: str) -> bytes:
        return len(text.encode()).to_bytes(4, "big") + text.encode()

    message = b"cardarena-deal-v1\0" + field(block) + field(str(deal_index))
    key = hmac.new(secret, message, hashlib.sha256).digest()
    words: list[int] = []
    counter = 0
    order = list(pack)
    for last in range(len(order) - 1, 0, -1):
        while True:
            if not words:
                block_of_words = hmac.new(key, counter.to_bytes(8, "big"), hashlib.sha256).digest()
                words = [int.from_bytes(block_of_words[at : at + 8], "big") for at in range(0, 32, 8)]
                counter += 1
            word = words.pop(0)
            if word < 2**64 // (last + 1) * (last + 1):
                break
        other = word % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 999_999), st.integers(0, 30), st.sampled_from([SIX, SEVEN]))
def test_every_deck_follows_the_written_formula(secret: bytes, block: int, deal_index: int, lowest: int) -> None:
    pack = pack_from(lowest)

    dealt = deck(secret, f"{block:06d}", deal_index, pack)

    assert dealt == reference_deck(secret, f"{block:06d}", deal_index, pack)
    assert sorted(dealt) == list(pack)


def test_decks_that_are_made_together_are_those_made_one_by_one() -> None:
    deal_count = 2 * DECKS_AT_ONCE + 3

    # A record may have more deals than there are.
    deals = range(deal_count + DECKS_AT_ONCE)
    together = [block_deck(SECRET, "000001", PACK, deal_count, deal_index) for deal_index in deals]

    assert together == [deck(SECRET, "000001", deal_index, PACK) for deal_index in deals]


def test_decks_differ_by_secret_block_and_deal() -> None:
    decks = {
        deck(SECRET, "000001", 0, PACK),
        deck(SECRET, "000001", 1, PACK),
        deck(SECRET, "000002", 0, PACK),
        deck(bytes(32), "000001", 0, PACK),
    }

    assert len(decks) == 4


def first_word(secret: bytes, message: bytes) -> int:
    key = hmac.digest(secret, message, "sha256")
    return int.from_bytes(hmac.digest(key, bytes(8), "sha256")[:8], "big")


def test_first_dealer_is_the_first_word_of_the_blocks_lot() -> None:
    dealer = first_dealer(SECRET, "000017", 4)

    assert dealer == first_word(SECRET, b"cardarena-deal-v1\0\0\0\0\x06000017\0\0\0\x06dealer") % 4


def test_every_seat_deals_first_as_often() -> None:
    dealers = [first_dealer(SECRET, f"{block:06d}", 4) for block in range(4000)]

    assert all(900 < dealers.count(seat) < 1100 for seat in range(4))


def test_bot_seed_is_the_first_word_of_match_and_seat() -> None:
    seed = bot_seed(SECRET, "cup/1/000017", 2)

    assert seed == first_word(SECRET, b"cardarena-bot-v1\0\0\0\0\x0ccup/1/000017\0\0\0\x012")


def test_bot_seeds_differ_by_match_and_seat() -> None:
    rotations = [f"spring-cup/1/{number:06d}" for number in range(1, 5)]

    seeds = {bot_seed(SECRET, match, seat) for match in rotations for seat in range(4)}

    assert len(seeds) == 16
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_schedule_chance_is_a_stream_of_its_own() -> None:
    drawn = [schedule_chance(SECRET, label).word() for label in ("1", "2")]

    assert len({*drawn, Chance(SECRET).word(), bot_seed(SECRET, "1", 0)}) == 4


def test_stream_is_hmac_of_a_counter_in_big_endian_words() -> None:
    chance = Chance(b"key")

    words = [chance.word() for _ in range(8)]

    stream = b"".join(hmac.digest(b"key", bytes(7) + bytes([counter]), "sha256") for counter in range(2))
    assert words == [int.from_bytes(stream[at : at + 8], "big") for at in range(0, 64, 8)]


class Scripted(Chance):
    """Chance whose words are given."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"")
        self.script = list(words)

    def word(self) -> int:
        return self.script.pop(0)


def test_words_from_the_largest_multiple_on_are_thrown_away() -> None:
    multiple = 2**64 // 3 * 3

    drawn = Scripted(multiple, 2**64 - 1, multiple - 1).below(3)

    assert drawn == 2


def test_a_shuffle_throws_away_what_below_throws_away() -> None:
    class Given(Chance):
        def _draw(self, word_count: int) -> None:
            self._words[:0] = [6, 4, 2**64 - 1]  # the last comes first: three does not go into it

    assert Given(b"").shuffled("abc") == ("c", "a", "b")


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_below_nothing_is_a_programmers_mistake(n: int) -> None:
    with pytest.raises(ValueError, match="nothing to draw"):
        Chance(b"key").below(n)


def test_below_takes_a_whole_word() -> None:
    assert Chance(b"key").below(2**64) == Chance(b"key").word()


def test_fork_does_not_depend_on_what_was_drawn() -> None:
    fresh, used = Chance(b"key"), Chance(b"key")
    used.shuffled(range(10))

    assert fresh.fork("a", 1).word() == used.fork("a", 1).word()
    assert fresh.fork("a", 1).word() != fresh.fork("a1").word()


def test_expand_goes_on_with_the_stream() -> None:
    chance = Chance(b"key")

    first, second = chance.expand(100), chance.expand(100)

    assert first != second
    assert first == hashlib.shake_256(hmac.digest(b"key", bytes(8), "sha256")).digest(100)


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_no_two_lists_of_fields_are_written_alike(first: list[str], second: list[str]) -> None:
    assert (fields(*first) == fields(*second)) == (first == second)


def test_shuffle_is_even() -> None:
    chance = Chance(b"even")
    counts: dict[tuple[int, ...], int] = {}

    for _ in range(6000):
        order = chance.shuffled(range(3))
        counts[order] = counts.get(order, 0) + 1

    assert len(counts) == 6
    assert all(880 < count < 1120 for count in counts.values())
