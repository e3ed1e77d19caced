"""Names of folders that hold versions of a site, and their order: the one that readers should get first."""

import re

_NUMBER = re.compile(r"v?(\d{1,4}(?:\.(?:\d{1,4}|x)){0,3})([-._]?(?:alpha|beta|rc|dev)\.?\d{0,4})?")
_CURRENT = {"stable": 0, "latest": 1, "current": 2}
_UNRELEASED = ("dev", "next", "nightly", "main", "master", "edge")


def is_version(name: str) -> bool:
    """Whether a folder is named for a version: `1.0`, `v2.x`, `3.0.0-rc.1`, `stable`, `latest`, `dev`."""
    return name in _CURRENT or name in _UNRELEASED or _NUMBER.fullmatch(name) is not None


def version_rank(name: str) -> tuple[int, tuple[int, ...]]:
    """Orders the versions of one page: `stable`, `latest`, the highest release, others, then what is not released."""
    if name in _CURRENT:
        return _CURRENT[name], ()
    found = _NUMBER.fullmatch(name)
    if found is None:
        return (6 if name in _UNRELEASED else 4), ()
    parts = tuple(-10_000 if part == "x" else -int(part) for part in found[1].split("."))
    return (5 if found[2] else 3), (*parts, 0)
