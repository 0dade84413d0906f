"""Text of strangers made harmless for the eye: nothing in it can turn, hide or stack what stands beside it.

Markup in it is harmless by escaping, which is the templates' business.
"""


def visible(text: str) -> str:
    """`text` with every character that cannot be shown (controls, bidirectional marks, line ends) as U+FFFD.

    >>> visible("fox\\u202ecod")
    'fox\ufffdcod'
    """
    return text if text.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in text)


def visible_value(value: object) -> object:
    """The same for whatever a template prints; what is no text is left as it is."""
    return visible(value) if type(value) is str else value
