"""The notes of a release: its section of CHANGELOG.md."""

import re

_HEADING = re.compile(r"^## \[(?P<name>[^\]]+)\](?: - (?P<date>\d{4}-\d\d-\d\d))?$", re.MULTILINE)
_RELATIVE_LINK = re.compile(r"\]\((?!https?:)([^()\s]+)\)")
UNRELEASED = "Unreleased"


def notes(text: str, name: str, repository: str, tag: str = "main") -> str:
    """The section `name` of a changelog, with links to the files of a repository as they are at `tag`.

    `name` is a version or `UNRELEASED`. Raises ValueError if there is no such section, if it is empty, or if a
    version has no date.
    """
    headings = list(_HEADING.finditer(text))
    found = next((n for n, heading in enumerate(headings) if heading["name"] == name), None)
    if found is None:
        raise ValueError(f"CHANGELOG.md has no section [{name}]")
    if name != UNRELEASED and not headings[found]["date"]:
        raise ValueError(f"the section [{name}] of CHANGELOG.md has no date: write ## [{name}] - YYYY-MM-DD")
    end = headings[found + 1].start() if found + 1 < len(headings) else len(text)
    section = text[headings[found].end() : end].strip()
    if not section:
        raise ValueError(f"the section [{name}] of CHANGELOG.md is empty")
    return _RELATIVE_LINK.sub(rf"](https://github.com/{repository}/blob/{tag}/\1)", section) + "\n"
