"""JSON schemas of `bot.toml` and `cup.toml`, for editors that complete and check while one types.

They say what can be said in JSON Schema; the program itself checks more, and says it better.
"""

import json
import tomllib
from collections.abc import Mapping

from harness.cup import CupFile
from harness.games import GAME_NAMES
from harness.names import NAME_PATTERN, VERSION_PATTERN
from harness.toml_file import Table
from harness.workshop.manifest import BotManifest

Json = dict[str, object]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_FILES: Mapping[str, type[Table]] = {"bot": BotManifest, "cup": CupFile}
FILE_NAMES = tuple(f"{name}.schema.json" for name in _FILES)

_NAME: Json = {"pattern": f"^{NAME_PATTERN}$"}
_WORDS: Json = {"minItems": 1}
_REFINED: Mapping[tuple[str, str], Json] = {
    ("BotTable", "name"): _NAME,
    ("BotTable", "version"): {"pattern": f"^{VERSION_PATTERN}$"},
    ("BotTable", "games"): {"items": {"enum": list(GAME_NAMES)}, "minItems": 1, "uniqueItems": True},
    ("RunTable", "argv"): _WORDS,
    ("BuildTable", "argv"): {"items": {"type": "array", "items": {"type": "string"}, **_WORDS}, **_WORDS},
    ("CupTable", "name"): _NAME,
    ("CupTable", "game"): {"enum": list(GAME_NAMES)},
    ("CupTable", "seats"): {
        "type": ["integer", "array"],
        "items": {"type": "integer"},
        "minItems": 1,
        "uniqueItems": True,
    },
}
"""What the models check by code, by table and key."""


def schemas() -> dict[str, str]:
    """The text of each schema file, by name."""
    return {
        f"{name}.schema.json": json.dumps(_schema(f"{name}.toml", table), indent=2, ensure_ascii=False) + "\n"
        for name, table in _FILES.items()
    }


def _schema(title: str, table: type[Table]) -> Json:
    made: Json = table.model_json_schema(by_alias=True)
    definitions = made.get("$defs")
    assert isinstance(definitions, dict)
    for name, definition in definitions.items():
        for key, schema in definition["properties"].items():
            schema.update(_REFINED.get((name, key), {}))
        definition.pop("title")
    cleaned = _cleaned(made)
    assert isinstance(cleaned, dict)
    return {"$schema": DIALECT, **cleaned, "title": title}


def _cleaned(value: object) -> object:
    """Without what TOML does not have: no key is null there, it is absent."""
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if not isinstance(value, dict):
        return value
    members = {key: _cleaned(item) for key, item in value.items() if not _is_noise(key, item)}
    branches = members.pop("anyOf", None)
    if isinstance(branches, list):
        branches = [branch for branch in branches if branch != {"type": "null"}]
        members |= branches[0] if len(branches) == 1 else {"anyOf": branches}
    examples = members.get("examples")
    if isinstance(examples, list):
        members["examples"] = [_from_toml(example) for example in examples]
    return members


def _is_noise(key: str, item: object) -> bool:
    if key == "title":
        return isinstance(item, str)  # a property may be called title
    return key == "default" and (item is None or isinstance(item, dict))


def _from_toml(example: object) -> object:
    """Examples are kept as the text that error messages show."""
    return tomllib.loads(f"example = {example}")["example"] if isinstance(example, str) else example
