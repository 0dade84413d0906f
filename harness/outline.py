"""What is counted of a record without opening all of it: for those who count a million."""

import json
from array import array
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from harness.record import JsonValue, RecordError


class Outline(NamedTuple):
    """What is counted of a record: the first action and the points of each deal, and `meta`."""

    first_actions: tuple[str, ...]
    """By deal; empty where nobody acted."""
    points: Sequence[int]
    """Deal by deal, and in each by seat."""
    meta: Mapping[str, JsonValue]


def outline(line: str) -> Outline:
    """What is counted of the record that `line` holds, whose other members are not looked at. RecordError as ever."""
    try:
        members = json.loads(line)
        actions = [next(iter(deal["actions"]), "") for deal in members["deals"]]
        points = array("q")
        for deal in members["deals"]:
            points.extend(deal["points"])
        meta = members.get("meta", {})
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        raise RecordError(f"not a record: {error}") from None
    if not all(type(action) is str for action in actions) or not isinstance(meta, dict):
        raise RecordError("not a record: actions that are texts and a meta that is an object expected")
    return Outline(tuple(actions), points, meta)
