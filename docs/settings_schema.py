"""The JSON Schema of `waypost.toml`, made from the settings, in the form of schemastore.org (draft-07).

An editor must not mark what Waypost takes, so the schema is no stricter than the checks. It cannot say all that they
say: whether a pattern is one, or a path exists.
"""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from waypost.settings import checks, table_checks
from waypost.settings.checks import InvalidValue
from waypost.settings.output_formats import FILE_FORMATS
from waypost.settings.schema import SETTINGS
from waypost.settings.setting import Setting
from waypost.settings.values import CHANGEFREQS

_Schema = dict[str, Any]
_TEXT: _Schema = {"type": "string", "minLength": 1}
_FLAG: _Schema = {"type": "boolean"}
_TEXTS: _Schema = {"type": "array", "items": _TEXT}
_PATTERNS: _Schema = {"type": "array", "items": {"type": "string"}}


def _table(required: Mapping[str, _Schema], optional: Mapping[str, _Schema] | None = None) -> _Schema:
    properties = {**required, **(optional or {})}
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _or_table(text: _Schema, table: _Schema) -> _Schema:
    return {"anyOf": [text, table]}


_HINTS: dict[str, _Schema] = {
    "changefreq": {"enum": list(CHANGEFREQS)},
    "priority": {"type": "number", "minimum": 0, "maximum": 1},
}
_URL_ENTRY = _table(
    {"loc": _TEXT},
    {
        "lastmod": {},  # a text, or one of TOML's dates, which the validators show as texts or objects
        **_HINTS,
        "group": _TEXT,
        "alternates": {"type": "object", "additionalProperties": _TEXT},
        "images": _TEXTS,
    },
)
_BY_CHECK: dict[checks.Check, _Schema] = {
    checks.flag: _FLAG,
    checks.text: _TEXT,
    checks.base_url: _TEXT,
    checks.patterns: _PATTERNS,
    checks.texts: _TEXTS,
    checks.path_beginnings: {"type": "array", "items": {"type": "string", "pattern": "^/"}},
    checks.percent: {"type": "integer", "minimum": 0, "maximum": 100},
    checks.count: {"type": "integer", "minimum": 0},
    checks.pages: {
        "type": "array",
        "minItems": 1,
        "items": {"type": "string", "pattern": r"^(html|pdf|markdown|content-type|\..+)$"},
    },
    checks.output_name: {"type": "string", "pattern": r"^[A-Za-z0-9_][A-Za-z0-9._-]*$"},
    table_checks.groups: {
        "type": "object",
        "additionalProperties": False,
        "patternProperties": {"^[a-z][a-z0-9-]{0,31}$": _PATTERNS},
    },
    table_checks.news: _table({"name": _TEXT, "language": _TEXT}, {"pages": _PATTERNS}),
    table_checks.indexnow: _or_table(_TEXT, _table({"key": _TEXT}, {"file": _FLAG, "engine": _TEXT})),
    table_checks.severities: {"type": "object", "additionalProperties": {"enum": ["error", "warning", "note", "off"]}},
    table_checks.urls: _or_table(_TEXT, {"type": "array", "items": _or_table(_TEXT, _URL_ENTRY)}),
}
_BY_NAME: dict[str, _Schema] = {
    "sitemaps": {
        "type": "array",
        "items": _or_table(_TEXT, _table({"from": _TEXT}, {"as": {"const": "child"}, "optional": _FLAG})),
    },
    "index_files": _TEXTS,
    "image_hosts": _TEXTS,
    "formats": {"type": "array", "minItems": 1, "items": {"enum": list(FILE_FORMATS)}},
    "alternates": {"enum": [True, False, "folders"]},
    "sources": {"type": "array", "items": _table({"page": _TEXT, "files": _PATTERNS})},
    "overrides": {
        "type": "array",
        "items": {
            **_table({"match": _PATTERNS}, _HINTS),
            "anyOf": [{"required": ["changefreq"]}, {"required": ["priority"]}],
        },
    },
}
"""The settings whose check is made of others."""


def settings_schema() -> _Schema:
    """The schema of the whole file; no setting is required, because options and inputs can give it, too."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Waypost",
        "description": "Settings of Waypost, which generates the sitemaps of a website.",
        "type": "object",
        "properties": {each.name: _described(each) for each in SETTINGS},
        "additionalProperties": False,
    }


def _described(declared: Setting) -> _Schema:
    default = {} if declared.is_required or declared.default is None else {"default": declared.default}
    description = f"{declared.meaning}\nAllowed: {declared.allowed}."
    examples = {"examples": [tomllib.loads(f"value = {declared.example}")["value"]]} if declared.example else {}
    return {"description": description, **_form(declared), **default, **examples}


def _form(declared: Setting) -> _Schema:
    if found := _BY_NAME.get(declared.name) or _BY_CHECK.get(declared.check):
        return found
    names = re.split(r", | or ", declared.allowed)
    if not all(_takes(declared, name) for name in names):
        raise SystemExit(f"docs/settings_schema.py has no form for the setting {declared.name}")
    return {"enum": names}


def _takes(declared: Setting, value: object) -> bool:
    try:
        declared.check(value)
    except InvalidValue:
        return False
    return True
