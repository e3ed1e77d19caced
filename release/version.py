"""The version of this checkout, and the tag that moves to its release.

Usage: version.py TAG, which prints the tag that users name in workflows, such as v0, if TAG is its newest release.
"""

import re
import runpy
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_TAG = re.compile(r"v(\d+)\.(\d+)\.(\d+)")


def version() -> str:
    """The version, from the only file that has it."""
    text = (ROOT / "src" / "waypost" / "__init__.py").read_text(encoding="utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0]


def repository() -> str:
    """Waypost's repository on GitHub, `owner/name`; empty until it has one."""
    return _named("REPOSITORY")


def shown_repository() -> str:
    """The repository as documents name it, also until it has a name."""
    return _named("SHOWN_REPOSITORY")


def _named(constant: str) -> str:
    return str(runpy.run_path(str(ROOT / "src" / "waypost" / "__init__.py"))[constant])


def major_tag(tag: str) -> str:
    """The tag of the newest release with this major version: v0 for v0.1.0. Raises ValueError for any other tag."""
    found = _TAG.fullmatch(tag)
    if not found:
        raise ValueError(f"{tag} is not the tag of a release, such as v0.1.0")
    return f"v{found[1]}"


def is_newest(tag: str, others: Iterable[str]) -> bool:
    """Whether no other tag is a newer release of the same major version: a correction of an older one moves nothing."""
    releases = [found for each in (tag, *others) if (found := _TAG.fullmatch(each))]
    same_major = [each for each in releases if major_tag(each[0]) == major_tag(tag)]
    return max(same_major, key=lambda each: tuple(map(int, each.groups())))[0] == tag


def main() -> int:
    """Print the tag that moves to the release whose tag is given, or an empty line."""
    (tag,) = sys.argv[1:]
    command = ["git", "-C", str(ROOT), "tag", "--list", "v*"]
    tags = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    print(major_tag(tag) if is_newest(tag, tags) else "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
