"""Compares the dates of real sites, built from public repositories, with the histories of their true sources.

`real_sites.toml` has the repositories, their commits, generators and base URLs. KEPT has a folder for each of them:
`repo` is a clone with the whole history, at that commit, with the built site in `output`, which Git does not track.
`truth.json` names the source file of each page, as the generator names it: MkDocs' files, `hugo list`, Sphinx's
environment, Jekyll's pages and documents, `eleventy --to=json`, Pelican's articles, Nikola's and Hexo's posts, Antora's
catalogue, the chapters of `SUMMARY.md`, the page's own link for editing it, or the rule that makes URLs of paths. Pages
that show several files, such as lists and tags, are not in it. `real_dates_truth.py` says when a source last changed.

A page is *right* if its date is this to the second, *newer* or *older* if it is another, and *none* if it has none.
"""

import argparse
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any, NamedTuple

from measure import ROOT, Report, Run, run, say
from msgspec import Struct, convert
from real_dates_truth import History

_SITES = Path(__file__).with_name("real_sites.toml")
_WAYPOST = (sys.executable, "-c", "from waypost.cli.main import main; main()")
_EXPLAINED_AT_ONCE = 100
_HALVES = ("seen", "unseen", "later", "last", "final", "check", "random", "fresh", "all")
_VERDICTS = ("right", "none", "newer", "older")
_HEAD = ["site", "generator", "pages", *_VERDICTS, "same words", "left out", "lists", "dated lists", "seconds", "MB"]


class Site(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `real_sites.toml`; `output` is relative to the repository.

    `built` says what built the site: its generator, or the project itself, on another branch, with that `built_commit`.
    """

    name: str
    repository: str
    commit: str
    generator: str
    output: str
    base_url: str
    half: str
    truth: str
    built: str = "generator"
    built_commit: str = ""
    settings: tuple[str, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """The site's folder, its base URL, and the settings that it needs, none of which is about dates."""
        set_keys = [word for setting in self.settings for word in ("--set", setting)]
        return [self.output, "--base-url", self.base_url, "--json", *set_keys]


class Page(NamedTuple):
    """A listed page, its true source and when that changed, and the date that Waypost gives."""

    key: str
    source: str
    truth: int | None
    given: int | None

    @property
    def verdict(self) -> str:
        """What the date is worth; of a page without one source, `list` or `dated list`."""
        if self.truth is None:
            return "list" if self.given is None else "dated list"
        if self.given is None:
            return "none"
        return "right" if self.given == self.truth else "newer" if self.given > self.truth else "older"


class Result(NamedTuple):
    """The pages of a site, the number of older ones since whose date no word changed, and of those not listed.

    `used` is what the command took.
    """

    pages: list[Page]
    same_words: int
    left_out: int
    used: Run


def main() -> None:
    """Compare the chosen sites."""
    arguments = _arguments()
    sites = [each for each in read_sites() if arguments.half in ("all", each.half)]
    if arguments.names:
        sites = [each for each in sites if each.name in arguments.names]
    results = {site: result for site in sites if (result := _result(site, arguments.keep / site.name))}
    _report(results, arguments.keep, is_verbose=arguments.verbose).write()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a row's name; without it, all of the half")
    parser.add_argument("--keep", type=Path, required=True, metavar="KEPT", help="the folder with the built sites")
    parser.add_argument("--half", choices=_HALVES, default="seen", help="[default: %(default)s]")
    parser.add_argument("--verbose", action="store_true", help="list the pages whose dates are wrong or missing")
    return parser.parse_args()


def read_sites() -> list[Site]:
    """Every row of `real_sites.toml`; raises msgspec.ValidationError for a wrong one."""
    return convert(tomllib.loads(_SITES.read_text(encoding="utf-8"))["site"], list[Site])


def _result(site: Site, kept: Path) -> Result | None:
    """Run Waypost on a built site; None if it is not there, or if Waypost stopped."""
    if not (kept / "truth.json").is_file():
        say(f"{site.name}: not in {kept}")
        return None
    say(site.name)
    truths = true_dates(kept)
    try:
        used = run([*_started_in(kept), "build", "--dry-run", *site.arguments])
    except CalledProcessError:
        say(f"{site.name}: Waypost stopped")
        return None
    given = {page["key"]: _seconds(page["lastmod"]) for page in json.loads(used.output)["pages"]}
    pages = [_page(key, date, truths) for key, date in sorted(given.items())]
    history = History(kept / "repo", has_words_only=True)
    older = [page for page in pages if page.verdict == "older"]
    same_words = sum((history.date(page.source) or 0) <= (page.given or 0) for page in older)
    return Result(pages, same_words, len(truths.keys() - given.keys()), used)


def _page(key: str, given: int | None, truths: Mapping[str, tuple[str, int]]) -> Page:
    source, truth = truths.get(key, ("", None))
    return Page(key, source, truth, given)


def true_dates(kept: Path) -> dict[str, tuple[str, int]]:
    """The source of each page, and when it last changed; kept in `dates.json`, as the histories take minutes."""
    truth, dates = kept / "truth.json", kept / "dates.json"
    if not dates.is_file() or dates.stat().st_mtime < truth.stat().st_mtime:
        history = History(kept / "repo")
        sources: dict[str, str] = json.loads(truth.read_text(encoding="utf-8"))
        known = {source: history.date(source) for source in sorted(set(sources.values()))}
        dated = {key: [source, known[source]] for key, source in sources.items() if known[source]}
        dates.write_text(json.dumps(dated, indent=1), encoding="utf-8")
    return {key: (source, when) for key, (source, when) in json.loads(dates.read_text(encoding="utf-8")).items()}


def _report(results: dict[Site, Result], kept: Path, *, is_verbose: bool) -> Report:
    report = Report("real_sites", "Dates of real sites")
    report.text(
        "*Pages* are those that Waypost lists and that have one source. Of these, the date is *right* (to the second), "
        "*newer* or *older*, or there is *none*. *Same words*: of the older ones, those since whose date no letter or "
        "digit of the source changed, as where a commit formatted it. *Left out* are pages with a "
        "source that Waypost does not list. "
        "*Lists* are listed pages that have no source of their own."
    )
    rows = [_row(site.name, site.generator, [result]) for site, result in results.items()]
    report.table(_HEAD, [*rows, _row("all", "", list(results.values()))])
    if is_verbose:
        for site, result in results.items():
            wrong = [page for page in result.pages if page.verdict not in ("right", "list")]
            report.text(f"## {site.name}")
            report.table(["page", "verdict", "source", "changed", "given", "by"], list(_details(site, kept, wrong)))
    return report


def _row(name: str, generator: str, results: Sequence[Result]) -> list[object]:
    counts = Counter(page.verdict for result in results for page in result.pages)
    dated = [counts[verdict] for verdict in _VERDICTS]
    same_words = sum(result.same_words for result in results)
    lists = [counts["list"] + counts["dated list"], counts["dated list"]]
    seconds = sum(result.used.seconds for result in results)
    megabytes = max((result.used.megabytes for result in results), default=0)
    left_out = sum(result.left_out for result in results)
    return [name, generator, sum(dated), *dated, same_words, left_out, *lists, f"{seconds:.1f}", f"{megabytes:.0f}"]


def _details(site: Site, kept: Path, pages: Sequence[Page]) -> Iterator[list[object]]:
    for start in range(0, len(pages), _EXPLAINED_AT_ONCE):
        some = pages[start : start + _EXPLAINED_AT_ONCE]
        command = [*_started_in(kept / site.name), "explain", *site.arguments, *(page.key for page in some)]
        answers = json.loads(run(command).output)
        for page, answer in zip(some, answers, strict=True):
            yield [page.key, page.verdict, page.source, _text(page.truth), _text(page.given), _evidence(answer)]


def _evidence(answer: dict[str, Any]) -> str:
    """What dated a page, or why nothing did."""
    dating = answer.get("dating") or {}
    files = ", ".join(dating.get("files", []))
    considered = "" if files else "; ".join(dating.get("considered", []))
    reason = answer.get("no_date_reason", "")
    parts = [dating.get("dated_by", ""), files, dating.get("strength", ""), reason, considered]
    return ": ".join(part for part in parts if part)


def _started_in(kept: Path) -> list[str]:
    """Waypost of this checkout, started in a site's repository."""
    return ["env", "-C", str((kept / "repo").absolute()), f"PYTHONPATH={ROOT / 'src'}", *_WAYPOST]


def _seconds(text: str | None) -> int | None:
    return int(datetime.fromisoformat(text).timestamp()) if text else None


def _text(when: int | None) -> str:
    return datetime.fromtimestamp(when, UTC).isoformat() if when is not None else ""


if __name__ == "__main__":
    main()
