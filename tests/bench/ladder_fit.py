"""Seconds and memory of a ladder from many matches.

    python tests/bench/ladder_fit.py [--bots 500] [--matches 1000000]

Tables of four with Gaussian scores, four rotations a block, made up on the fly so that only the ladder's memory counts.
"""

import argparse
import json
import resource
import time
from collections.abc import Iterator

import numpy as np

from ladder.columns import gather
from ladder.export import to_json
from ladder.fit import fit
from ladder.results import Result
from ladder.standings import standings

_SEATS = 4


def random_results(bots: int, matches: int, seed: int) -> Iterator[Result]:
    """Matches between random bots of normal strength, SD 150 Elo or so."""
    chance = np.random.default_rng(seed)
    skill = chance.normal(size=bots)
    for block in range(matches // _SEATS):
        table = chance.choice(bots, _SEATS, replace=False)
        luck = chance.normal(size=_SEATS)
        for rotation in range(_SEATS):
            seats = np.roll(table, rotation)
            scores = skill[seats] + luck + chance.normal(size=_SEATS)
            points = [float(score) for score in np.round(20 * scores)]
            places = tuple(1 + sum(other > score for other in points) for score in points)
            number = _SEATS * block + rotation
            names = tuple(f"bot{bot:03d}" for bot in seats)
            yield Result(f"bench/1/{number:07d}", f"{block:06d}", names, places, tuple(points))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=500)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    columns = gather(random_results(options.bots, options.matches, options.seed))
    start = time.perf_counter()
    rated = fit(columns)
    fitted = time.perf_counter()
    text = to_json(standings(columns, rated))
    done = time.perf_counter()
    peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        json.dumps(
            {
                "bots": options.bots,
                "matches": columns.match_count,
                "fit_s": round(fitted - start, 2),
                "standings_s": round(done - fitted, 2),
                "json_bytes": len(text),
                "peak_mib": round(peak_kib / 1024),
            }
        )
    )


if __name__ == "__main__":
    main()
