"""Checks of the settings that are tables, such as `overrides`, `groups`, `news` and `sources`."""

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from msgspec.structs import replace

from waypost.core import dates
from waypost.core.model import UrlEntry
from waypost.core.search_engine_limits import is_news_language
from waypost.settings.checks import (
    InvalidValue,
    check_all,
    check_count,
    choice,
    each,
    flag,
    http_url,
    patterns,
    string,
    table,
    text,
)
from waypost.settings.values import (
    CHANGEFREQS,
    DEFAULT_GROUP,
    HintOverride,
    IndexNowSettings,
    NewsSettings,
    OtherSitemap,
    Patterns,
    SourceMapping,
)

_ENGINE = "https://api.indexnow.org/indexnow"
"""One search engine of IndexNow passes the URLs on to all others."""
_LONGEST_PATH, _MOST_WILDCARDS = 1_000, 50
_CAPTURE = re.compile(r"\{(?:\*\*)?([a-z_]+)\}")


def overrides(value: Any) -> tuple[HintOverride, ...]:
    """Check the list of overrides."""
    found = each(override)(value)
    check_count(sum(len(one.match.lines) for one in found), "patterns")
    return found


def override(value: Any) -> HintOverride:
    """Check one table of `overrides`."""
    _, fields = check_all(("", _has_hint, value), ("", _override_fields, value))
    return HintOverride(**fields)


def _override_fields(value: Any) -> dict[str, Any]:
    return table(value, {"match": patterns}, {"changefreq": choice(*CHANGEFREQS), "priority": _priority})


def _has_hint(value: Any) -> None:
    if isinstance(value, Mapping) and not {"changefreq", "priority"} & value.keys():
        raise InvalidValue(("", "an override needs `changefreq` or `priority`"))


def _priority(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidValue(("", f"{value!r} is not a number from 0.0 to 1.0"))
    decimal = f"{float(value):.3f}".rstrip("0")
    return decimal + "0" if decimal.endswith(".") else decimal


def groups(value: Any) -> tuple[tuple[str, Patterns], ...]:
    """Check the table of groups; the result has the table's order."""
    if not isinstance(value, Mapping):
        raise InvalidValue(("", f"{value!r} is not a table of name = [patterns]"))
    names = [(f".{name}", _group_name, name) for name in value]
    selections = [(f".{name}", patterns, lines) for name, lines in value.items()]
    checked = check_all(*names, *selections)
    check_count(sum(len(match.lines) for match in checked[len(names) :]), "patterns")
    return tuple(zip(checked[: len(names)], checked[len(names) :], strict=True))


def _group_name(name: str) -> str:
    is_plain = re.fullmatch(r"[a-z][a-z0-9-]{0,31}", name)
    is_shard_name = re.search(r"(^|-)[0-9a-f]{16}$", name)
    if not is_plain or is_shard_name or name in (DEFAULT_GROUP, "index"):
        problem = f"a group's name has lower-case letters, digits and `-`, and is not `{DEFAULT_GROUP}` or `index`"
        raise InvalidValue(("", problem))
    return name


def other_sitemap(value: Any) -> OtherSitemap:
    """Check the location of another tool's sitemap, or a table with it."""
    named = {"from": value} if isinstance(value, str) else value
    fields = table(named, {"from": text}, {"as": choice("child"), "optional": flag})
    return OtherSitemap(fields["from"], fields["as"] == "child", bool(fields["optional"]))


def news(value: Any) -> NewsSettings:
    """Check the table of `news`."""
    fields = table(value, {"name": text, "language": _language}, {"pages": patterns})
    return NewsSettings(fields["name"], fields["language"], fields["pages"] or Patterns())


def _language(value: Any) -> str:
    """Google, "News sitemaps": a code of ISO 639, or zh-cn or zh-tw."""
    if not is_news_language(text(value)):
        raise InvalidValue(("", f"{value!r} is not a language code; write en, deu or zh-cn"))
    return str(value).lower()


def indexnow(value: Any) -> IndexNowSettings:
    """Check the key of `indexnow`, or the table with the key."""
    named = {"key": value} if isinstance(value, str) else value
    fields = table(named, {"key": _key}, {"file": flag, "engine": http_url})
    return IndexNowSettings(fields["key"], bool(fields["file"]), fields["engine"] or _ENGINE)


def _key(value: Any) -> str:
    """IndexNow, "Verifying ownership via the key": 8 to 128 letters, digits and `-`."""
    if not re.fullmatch(r"[A-Za-z0-9-]{8,128}", text(value)):
        raise InvalidValue(("", "a key of IndexNow has 8 to 128 letters, digits and `-`"))
    return str(value)


def severities(value: Any) -> tuple[tuple[str, str], ...]:
    """Check the table of severities; whether its codes exist is checked where the findings are known."""
    if not isinstance(value, Mapping):
        raise InvalidValue(("", f"{value!r} is not a table of code = severity"))
    check = choice("error", "warning", "note", "off")
    checked = check_all(*((f".{code}", check, severity) for code, severity in value.items()))
    return tuple(zip(value, checked, strict=True))


def sources(value: Any) -> tuple[SourceMapping, ...]:
    """Check the list of mappings from pages to files."""
    found = each(source)(value)
    check_count(sum(len(one.files) for one in found), "files")
    return found


def source(value: Any) -> SourceMapping:
    """Check one table of `sources`."""
    fields, _ = check_all(("", _source_fields, value), ("", _check_captures, value))
    return SourceMapping(**fields)


def _source_fields(value: Any) -> dict[str, Any]:
    return table(value, {"page": _page_path, "files": each(_file_path)}, {})


def _check_captures(value: Any) -> None:
    """Check that `page` captures each name that `files` use; other problems are `_source_fields`'s."""
    page, files = (value.get("page"), value.get("files")) if isinstance(value, Mapping) else (None, None)
    if not isinstance(page, str) or not isinstance(files, list | tuple):
        return
    captured = set(_CAPTURE.findall(page))
    problems = [
        (f".files[{n}]", f"{{{name}}} is not captured by {page!r}")
        for n, file in enumerate(files)
        for name in _CAPTURE.findall(str(file))
        if name not in captured
    ]
    if problems:
        raise InvalidValue(*problems)


def _page_path(value: Any) -> str:
    return _relative(text(value))


def _file_path(value: Any) -> str:
    path = _relative(string(value))
    if path.endswith("/"):
        raise InvalidValue(("", f"{path!r} is a folder; write `{path}**` for the files in it"))
    return path


def _relative(path: str) -> str:
    """Check the braces and the length of a path, and remove a leading `/` or `./`."""
    if len(path) > _LONGEST_PATH or len(re.findall(r"[*?{]", path)) > _MOST_WILDCARDS:
        limits = f"{_LONGEST_PATH:,} characters and {_MOST_WILDCARDS} wildcards"
        raise InvalidValue(("", f"{path[:80]!r} has more than {limits}"))
    if re.search(r"[{}]", _CAPTURE.sub("", path)):
        raise InvalidValue(("", f"{path!r} has a brace outside of {{name}} and {{**name}}"))
    return path.removeprefix("./").removeprefix("/")


def urls(value: Any) -> str | tuple[UrlEntry, ...]:
    """Check the setting `urls`: a list of URLs or tables, or the path of a file that lists them."""
    if isinstance(value, str):
        return text(value)
    entries = each(url_entry)(value)
    return tuple(replace(entry, line=n) for n, entry in enumerate(entries))


def url_entry(value: Any) -> UrlEntry:
    """Check one URL, or a table with `loc` and what else a sitemap says of it."""
    named = {"loc": value} if isinstance(value, str) else value
    found = table(named, {"loc": text}, _URL_FIELDS)
    return UrlEntry(**{name: value for name, value in found.items() if value is not None})


def _lastmod(value: Any) -> str:
    """A date, or a date with a time, in UTC (sitemaps.org 0.9, "lastmod"); TOML has types for both."""
    written = value.isoformat() if isinstance(value, date | datetime) else text(value)
    found = dates.parse_page_date(written)
    if found is None:
        raise InvalidValue(("", f"{written!r} is no date; write 2026-03-01 or 2026-03-01T12:00:00Z"))
    return found


def _alternates(value: Any) -> tuple[tuple[str, str], ...]:
    """Check a table of hreflang = URL."""
    if not isinstance(value, Mapping):
        raise InvalidValue(("", f"{value!r} is not a table of language = URL"))
    return tuple((text(language), text(url)) for language, url in value.items())


_URL_FIELDS = {
    "lastmod": _lastmod,
    "changefreq": choice(*CHANGEFREQS),
    "priority": _priority,
    "group": text,
    "alternates": _alternates,
    "images": each(text),
}
