"""Every file of a site: pages from templates, replays, badges, feeds and the few files they share.

Files are made when their bytes are asked for. Those of a match carry a digest of all that they show, so that whoever
keeps a folder need not make again what has not changed.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from ladder.export import elo_text, points_text, to_csv, to_json
from ladder.site.badge import badge
from ladder.site.charts import elo_bar, elo_scale, history_chart
from ladder.site.packing import replay_script
from ladder.site.values import Bot, Cup, Match, Place, safe_stem
from ladder.site.visible import visible_value
from ladder.words import plural

SITE_FORMAT = 1
"""Counts changes of what this program makes of the same values, beside those of templates and assets."""
ASSETS = ("icon.svg", "site.css", "site.js", "viewer.js")
TEMPLATES = (
    "shell.html",
    "pieces.html",
    "index.html",
    "bot.html",
    "matches.html",
    "match.html",
    "how.html",
    "rulings.html",
    "played_on.html",
)
BETTER_SHOWN = 24
"""Bots in the table of who is better than whom."""


class File(NamedTuple):
    """One file of the site. Equal digests: equal bytes. None: make it to know."""

    path: str
    digest: str | None
    data: Callable[[], bytes]


def site_files(places: Sequence[Place]) -> Iterator[File]:
    """The files of a site that holds the cups of `places`; those that others lead to come first."""
    maker = _Maker(places)
    yield File(".nojekyll", None, lambda: b"")
    for name in ASSETS:
        yield File(f"assets/{name}", None, partial(maker.source, f"assets/{name}"))
    for place in places:
        yield from maker.cup_files(place)


class _Maker:
    """Renders pages."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.places = places
        # Everything that is not a template's own text is escaped; a name that is not defined is an error.
        self.environment = Environment(
            loader=PackageLoader("ladder.site", ""),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=visible_value,
        )
        self.environment.filters |= {
            "elo": elo_text,
            "points": points_text,
            "percent": percent,
            "short_percent": short_percent,
            "minus": minus,
            "ms": duration_text,
            "plural": plural,
            "stem": safe_stem,
        }
        parts = [self.source(f"templates/{name}") for name in TEMPLATES]
        self.made_by = hashlib.sha256(b"\0".join([str(SITE_FORMAT).encode(), *parts])).hexdigest()

    def source(self, name: str) -> bytes:
        """The text of a template or an asset."""
        assert self.environment.loader is not None
        return self.environment.loader.get_source(self.environment, name)[0].encode()

    def cup_files(self, place: Place) -> Iterator[File]:
        """The files of one cup, in its folder."""
        folder, cup = place
        page = partial(self._page, place)
        scale = elo_scale(cup.standings.rows)
        bars = {row.player: elo_bar(row, scale) for row in cup.standings.rows}
        for match in cup.matches:
            yield from self._match_files(place, match)
        for bot in cup.bots:
            yield page(
                f"bots/{bot.stem}.html",
                "bot",
                bot=bot,
                chart=history_chart(bot.history),
                played=_played_by(cup, bot),
            )
            if bot.row is not None:
                yield File(f"{folder}badges/{bot.stem}.svg", None, partial(badge, bot.name, bot.row))
        numbers = {bot.name: number for number, bot in enumerate(cup.bots)}
        seat_count = max((len(match.seats) for match in cup.matches), default=0)
        yield page("matches.html", "matches", numbers=numbers, seat_count=seat_count)
        yield page("how.html", "how")
        if cup.rulings:
            yield page("rulings.html", "rulings")
        if cup.sheet is not None:
            yield page("sheet.html", "played_on", sheet=cup.sheet)
        for feed in cup.feeds:
            yield File(folder + feed.name, feed.digest, feed.data)
        yield File(f"{folder}ladder.json", None, lambda: to_json(cup.standings).encode())
        yield File(f"{folder}ladder.csv", None, lambda: to_csv(cup.standings).encode())
        yield page("index.html", "index", bars=bars, scale=scale, shown=BETTER_SHOWN)

    def _match_files(self, place: Place, match: Match) -> Iterator[File]:
        folder, cup = place
        others = [f"{other.folder} {other.cup.title} {other.cup.subtitle}" for other in self.places]
        told = "\0".join([self.made_by, match.digest, folder, cup.game, cup.points_name, *others])
        digest = hashlib.sha256(told.encode()).hexdigest()[:20]
        match = replace(match, details=cache(match.details))  # page and replay need them, one after the other
        script = f"{folder}replays/replay_{match.stem}.js"
        yield File(script, digest, lambda: _replay(cup, match))
        made = self._page(place, f"matches/{match.stem}.html", "match", match=match)
        yield made._replace(digest=digest)

    def _page(self, place: Place, path: str, template: str, **values: object) -> File:
        folder, cup = place
        up = "../" * path.count("/")
        site_root = up + "../" * folder.count("/")
        values |= {
            "cup": cup,
            "up": up,
            "site_root": site_root,
            "places": self.places,
            "folder": folder,
            "page": template,
        }

        def render() -> bytes:
            return self.environment.get_template(f"templates/{template}.html").render(values).encode()

        return File(folder + path, None, render)


def _played_by(cup: Cup, bot: Bot) -> list[Match]:
    return [match for match in cup.matches if any(seat.bot == bot.name for seat in match.seats)]


def _replay(cup: Cup, match: Match) -> bytes:
    details = match.details()
    seats = [seat.bot for seat in match.seats]
    return replay_script(match.id, cup.game, seats, details.pack, cup.points_name, details.deals())


def percent(probability: float | None) -> str:
    """A probability for people.

    >>> percent(0.9731), percent(0.9996), percent(0.0001), percent(None)
    ('97 %', '> 99.9 %', '< 0.1 %', '–')
    """
    if probability is None:
        return "–"
    if probability > 0.999:
        return "> 99.9 %"
    if probability < 0.001:
        return "< 0.1 %"
    if probability > 0.985 or probability < 0.015:
        return f"{100 * probability:.1f} %"
    return f"{100 * probability:.0f} %"


def short_percent(probability: float) -> str:
    """The same for a table of many, without the sign; never a certainty.

    >>> short_percent(0.9731), short_percent(0.9996), short_percent(0.001)
    ('97', '>99', '<1')
    """
    if probability >= 0.995:
        return ">99"
    return "<1" if probability <= 0.005 else f"{100 * probability:.0f}"


def minus(text: object) -> str:
    """A number, or a text with numbers in it, with true minus signs.

    >>> minus(-30), minus("-1.5 ± 2.0")
    ('−30', '−1.5 ± 2.0')
    """
    return str(text).replace("-", "−")


def duration_text(ms: float) -> str:
    """A thinking time for people.

    >>> duration_text(0.42), duration_text(99.7), duration_text(2345), duration_text(61_000)
    ('0.42 ms', '100 ms', '2.3 s', '61 s')
    """
    if ms >= 999.5:
        return f"{ms / 1000:.1f} s" if ms < 9950 else f"{ms / 1000:.0f} s"
    return f"{ms:.2g} ms" if ms < 99.5 else f"{ms:.0f} ms"
