"""Numbers with their nouns."""


def plural(count: int, word: str, words: str = "") -> str:
    """A count and its noun.

    >>> plural(1, "match", "matches"), plural(1200, "deal")
    ('1 match', '1,200 deals')
    """
    return f"{count:,} {word if count == 1 else words or word + 's'}"
