"""A small picture of a rating, to be shown elsewhere: `Elo 1612 ± 34`."""

from html import escape

from ladder.export import elo_text
from ladder.site.visible import visible
from ladder.standings import Row

_CHARACTER_WIDTH = 6.7
_PADDING = 14


def badge(name: str, row: Row) -> bytes:
    """An SVG picture of the rating of the bot called `name`. Its colours suit light and dark surroundings."""
    left, right = visible(name), f"Elo {elo_text(row)}"
    left_width, right_width = (round(len(text) * _CHARACTER_WIDTH) + _PADDING for text in (left, right))
    width = left_width + right_width
    label = escape(f"{left}: {right}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{label}">'
        f"<title>{label}</title>"
        f'<clipPath id="r"><rect width="{width}" height="20" rx="4"/></clipPath><g clip-path="url(#r)">'
        f'<rect width="{left_width}" height="20" fill="#3d4451"/>'
        f'<rect x="{left_width}" width="{right_width}" height="20" fill="#1d5fb4"/></g>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f"{_text(left, left_width / 2, left_width)}"
        f"{_text(right, left_width + right_width / 2, right_width)}</g></svg>\n"
    ).encode()


def _text(text: str, middle: float, width: int) -> str:
    return f'<text x="{middle:g}" y="14" textLength="{width - _PADDING}">{escape(text)}</text>'
