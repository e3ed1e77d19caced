"""Compares the dates that Waypost gives to built pages with the commit times of the files they are made of."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from date_repositories import DatedRepository
from date_truth import Truth, truths

_COMMAND = (sys.executable, "-c", "from waypost.cli.main import main; main()")


@dataclass(frozen=True)
class PageDate:
    """A listed page: its true sources, and the file whose commit time its date is, or the date itself.

    `given` is empty if the page has no date. `verdict` is right, none or wrong. `kind` says what the page is made of:
    "one" source, "several", a "shared" file, "withheld" ones (whatever it includes beside), or no source ("list").
    """

    key: str
    kind: str
    verdict: str
    files: tuple[str, ...]
    given: str


def listed_pages(repository: Path, output: Path, base_url: str) -> dict[str, datetime | None]:
    """The date of each page that `waypost build` lists with the base URL as its only setting, by path."""
    options = ["--base-url", base_url, "--json", "--dry-run"]
    variables = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    command = [*_COMMAND, "build", str(output), *options]
    done = subprocess.run(command, cwd=repository, env=variables, capture_output=True, check=False)
    if done.returncode:
        raise AssertionError(f"waypost build {output} failed:\n{done.stderr.decode(errors='replace')}")
    return {page["key"]: _date(page["lastmod"]) for page in json.loads(done.stdout)["pages"]}


def compare_dates(made: DatedRepository, dates: Mapping[str, datetime | None]) -> list[PageDate]:
    """What each listed page's date is worth."""
    pages = {path.relative_to(made.output).as_posix(): path for path in made.output.rglob("*.html")}
    texts = {key: path.read_text(encoding="utf-8", errors="replace") for key, path in pages.items()}
    known = truths(texts, made.texts)
    return [_page_date(key, known[key], date, made) for key, date in sorted(dates.items()) if key in known]


def _date(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _page_date(key: str, truth: Truth, date: datetime | None, made: DatedRepository) -> PageDate:
    kind, files = _kind(truth, made.withheld), tuple(sorted(truth.files))
    if date is None:
        return PageDate(key, kind, "none" if kind in {"one", "several", "shared"} else "right", files, "")
    given = int(date.timestamp())
    tracked = [made.times[path] for path in files if path not in made.withheld]
    verdict = "right" if kind != "withheld" and tracked and given == max(tracked) else "wrong"
    by_time = {when: path for path, when in made.times.items()}
    return PageDate(key, kind, verdict, files, by_time.get(given, date.isoformat()))


def _kind(truth: Truth, withheld: frozenset[str]) -> str:
    if not truth.files:
        return "list"
    if truth.files - truth.included <= withheld:
        return "withheld"
    if truth.is_shared:
        return "shared"
    return "one" if len(truth.files) == 1 else "several"
