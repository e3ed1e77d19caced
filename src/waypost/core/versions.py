"""Names of folders that hold versions of a site, and their order: the one that readers should get first."""

import re

_NUMBER = re.compile(
    r"(?:(?:release|version|ver|v|r)[-_]?)?(\d{1,4}(?:[._-](?:\d{1,4}|x)){0,3})"
    r"(?:(?:[-._]?(?P<early>(?:alpha|beta|rc|dev|snapshot|a|b|m)[-.]?\d{0,4})){1,3}|[-._](?:final|release|ga|lts))?",
    re.IGNORECASE,
)
_CURRENT = {"stable": 0, "latest": 1, "current": 2}
_UNRELEASED = (
    "dev",
    "devel",
    "next",
    "nightly",
    "main",
    "master",
    "trunk",
    "edge",
    "unreleased",
    "snapshot",
    "previews",
)
_RELEASED, _OTHER, _EARLY, _NOT_RELEASED = 3, 4, 5, 6


def is_version(name: str) -> bool:
    """Whether a folder is named for a version: `1.0`, `v2.x`, `3.0.0-rc.1`, `stable`, `latest`, `dev`."""
    return name in _CURRENT or name in _UNRELEASED or _NUMBER.fullmatch(name) is not None


def version_rank(name: str) -> tuple[int, tuple[int, ...]]:
    """Orders the versions of one page: `stable`, `latest`, the highest release, others, then what is not released."""
    if name in _CURRENT:
        return _CURRENT[name], ()
    found = _NUMBER.fullmatch(name)
    if found is None:
        return (_NOT_RELEASED if name in _UNRELEASED else _OTHER), ()
    parts = tuple(-10_000 if part in "xX" else -int(part) for part in re.split("[._-]", found[1]))
    return (_EARLY if found["early"] else _RELEASED), (*parts, 0)
