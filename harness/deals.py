"""Every deck, every lot and every seed of a round, from one secret; and the only stream of chance.

A round has a secret of 32 bytes. Its commitment is published before the first match and the secret
after the last, so that anybody can deal every deck again. What is drawn depends on the secret and on
labels alone: not on the bots, the order of play, the number of processes, or what was interrupted.

    commitment = SHA256("cardarena-commit-v1\\0" + secret)
    secret     = 32 random bytes, or HMAC("cardarena-seed-v1", fields(seed, round)) where a seed is given
    deck       : HMAC(secret, "cardarena-deal-v1\\0" + fields(block, deal)) is the key of its `Chance`
    dealer     : HMAC(secret, "cardarena-deal-v1\\0" + fields(block, "dealer"))
    bot seed   : HMAC(secret, "cardarena-bot-v1\\0" + fields(match, seat))
    schedule   : HMAC(secret, "cardarena-schedule-v1\\0" + fields(label))

HMAC is HMAC-SHA256. `fields` writes each item as text in UTF-8 behind its length as 4 bytes, big-endian, so that no
two lists of items are written alike. Python's and numpy's own generators are not used: neither promises the same
shuffle in its next version, and their states can be worked out from what they gave.
"""

import hashlib
import hmac
import struct
from collections.abc import Sequence
from functools import lru_cache
from operator import mod
from typing import TypeVar

from harness.cards import Card
from harness.games.game import Deck, Seat

T = TypeVar("T")

SECRET_BYTES = 32
"""Length of a round's secret."""
DECKS_AT_ONCE = 24
"""Decks of a block that are made together: all of a Guillotine match, 0.2 ms."""

_WORD_COUNT = 1 << 64
_SURELY_KEPT = _WORD_COUNT - (1 << 32)
"""No word below this is thrown away in a draw below 2**32."""
_BLOCK_BYTES = 64  # of SHA-256
_INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))


def fields(*items: object) -> bytes:
    """`items` as text in UTF-8, each behind its length.

    >>> fields("ab", 7)
    b'\\x00\\x00\\x00\\x02ab\\x00\\x00\\x00\\x017'
    """
    texts = [str(item).encode() for item in items]
    return b"".join(len(text).to_bytes(4, "big") + text for text in texts)


class Chance:
    """The stream of chance of `key`: HMAC(key, counter as 8 bytes big-endian), counter 0, 1, ..., in words of 64 bits.

    Two of the same key draw the same, on every machine and in every version.
    """

    __slots__ = ("_counter", "_inner", "_key", "_outer", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._words: list[int] = []
        # RFC 2104 with the key hashed in once: a third of what `hmac.digest` costs for so short a message.
        block = (key if len(key) <= _BLOCK_BYTES else hashlib.sha256(key).digest()).ljust(_BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(block.translate(_INNER_PAD))
        self._outer = hashlib.sha256(block.translate(_OUTER_PAD))

    def word(self) -> int:
        """The next 64 bits of the stream."""
        if not self._words:
            self._draw(1)
        return self._words.pop()

    def _draw(self, word_count: int) -> None:
        """Puts at least so many words more behind those that are there, which come first."""
        blocks = []
        block_count = -(-word_count // 4)
        copy_inner, copy_outer = self._inner.copy, self._outer.copy
        for counter in range(self._counter, self._counter + block_count):
            inner, outer = copy_inner(), copy_outer()
            inner.update(counter.to_bytes(8, "big"))
            outer.update(inner.digest())
            blocks.append(outer.digest())
        self._counter += block_count
        words = struct.unpack(f">{4 * block_count}Q", b"".join(blocks))
        self._words[:0] = reversed(words)

    def below(self, n: int) -> int:
        """A number from 0 to `n - 1`, each as likely: words from the largest multiple of `n` on are thrown away."""
        if not 0 < n <= _WORD_COUNT:
            raise ValueError(f"nothing to draw below {n}")
        limit = _WORD_COUNT - _WORD_COUNT % n
        while (word := self.word()) >= limit:
            pass
        return word % n

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """`items` in an order drawn evenly: Fisher and Yates, from the last place down to the second."""
        order = list(items)
        count = len(order) - 1
        if len(self._words) < count:
            self._draw(count - len(self._words))
        words = self._words[: -count - 1 : -1]
        ranges = range(count + 1, 1, -1)
        if max(words, default=0) < _SURELY_KEPT:
            # `below` for each of `ranges`, as one: every card that is dealt is drawn here.
            del self._words[len(self._words) - count :]
            draws = map(mod, words, ranges)
        else:
            draws = map(self.below, ranges)
        for last, other in zip(range(count, 0, -1), draws, strict=True):
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def fork(self, *labels: object) -> "Chance":
        """A stream of its own for `labels`; what was drawn from this one makes no difference."""
        return Chance(hmac.digest(self._key, b"cardarena-fork-v1\0" + fields(*labels), "sha256"))

    def expand(self, byte_count: int) -> bytes:
        """Many bytes at once, for searches: SHAKE-256 of the next four words."""
        seed = b"".join(self.word().to_bytes(8, "big") for _ in range(4))
        return hashlib.shake_256(seed).digest(byte_count)


def commitment(secret: bytes) -> bytes:
    """What is published of `secret` before the first match."""
    return hashlib.sha256(b"cardarena-commit-v1\0" + secret).digest()


def secret_from_seed(seed: int, round_number: int) -> bytes:
    """Secret of a round (from 1) of a cup whose deals are known in advance."""
    return hmac.digest(b"cardarena-seed-v1", fields(seed, round_number), "sha256")


def deck(secret: bytes, block: str, deal_index: int, pack: tuple[Card, ...]) -> Deck:
    """The deck of a deal (from 0) of `block`, the same in every rotation; `pack` in ascending order."""
    return Chance(_key(secret, b"cardarena-deal-v1\0", block, deal_index)).shuffled(pack)


def block_deck(secret: bytes, block: str, pack: tuple[Card, ...], deal_count: int, deal_index: int) -> Deck:
    """The same, of a block of `deal_count` deals: one of many that are made together and kept.

    A deck that is made between a match's answers takes a third longer than one that is made after another.
    """
    if deal_index >= deal_count:  # as in a record that has more deals than there are
        return deck(secret, block, deal_index, pack)
    place = deal_index % DECKS_AT_ONCE
    first = deal_index - place
    return tuple(_decks(secret, block, pack, first, min(first + DECKS_AT_ONCE, deal_count))[place])


def first_dealer(secret: bytes, block: str, seat_count: int) -> Seat:
    """Who deals first in every match of `block`, drawn by lot."""
    return Chance(_key(secret, b"cardarena-deal-v1\0", block, "dealer")).below(seat_count)


def bot_seed(secret: bytes, match: str, seat: Seat) -> int:
    """64 bits for the bot's own chance; of another value in every match, so that no bot knows a rotation by it."""
    return Chance(_key(secret, b"cardarena-bot-v1\0", match, seat)).word()


def schedule_chance(secret: bytes, label: str) -> Chance:
    """Chance of a schedule. `secret` may be any bytes: a round's secret, or a seed's text for a plan made before."""
    return Chance(_key(secret, b"cardarena-schedule-v1\0", label))


def _key(secret: bytes, purpose: bytes, *items: object) -> bytes:
    return hmac.digest(secret, purpose + fields(*items), "sha256")


@lru_cache(maxsize=1 << 11)  # some 3 MB of decks
def _decks(secret: bytes, block: str, pack: tuple[Card, ...], first: int, end: int) -> tuple[bytes, ...]:
    """Decks, a byte a card: the rotations of a block ask for them one after another, and a heat holds many blocks."""
    return tuple([bytes(deck(secret, block, deal_index, pack)) for deal_index in range(first, end)])
