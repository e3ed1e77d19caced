"""Compares the dates of sites that generators built with the commit times of their sources, with nothing configured.

Each site of `generator_sites` becomes a Git repository in which every source file has a commit time of its own; the
built site is the one of `tests/fixtures/generators`. Names of sites as arguments choose some of them.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from date_comparison import PageDate, compare_dates, count, listed_pages, preset_dates
from date_repositories import make_repository
from generator_builds import SITES, GeneratorSite, read_sites
from generator_outputs import unpack
from measure import ROOT, Report, say

_FIXTURES = ROOT / "tests" / "fixtures" / "generators"
_HEAD = ["generator", "pages with one source", "right", "none", "wrong", "several sources", "shared file", "no source"]
Results = dict[str, list[PageDate]]


def main() -> None:
    """Compare each site, or count the dates of the one that `--site` names."""
    arguments = _arguments()
    if arguments.site:
        _count_dates(Path(arguments.site[0]), Path(arguments.site[1]), arguments.site[2], arguments.settings)
        return
    sites = [site for site in read_sites() if not arguments.names or site.name in arguments.names]
    if unknown := sorted(set(arguments.names) - {site.name for site in sites}):
        raise SystemExit(f"There is no site {', '.join(unknown)} in generator_sites/sites.toml")
    results = {site.name: _result(site, arguments) for site in sites}
    _report(sites, results, is_withheld=arguments.withhold, is_verbose=arguments.verbose).write()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a folder of generator_sites; without it, all")
    parser.add_argument("--withhold", action="store_true", help="leave half of the sources out of the repository")
    parser.add_argument("--below", default="", metavar="FOLDER", help="the project's folder in the repository")
    parser.add_argument("--set", action="append", default=[], dest="settings", metavar="KEY=VALUE", help="a setting")
    parser.add_argument("--presets", action="store_true", help="date the pages by the paths of detected presets alone")
    parser.add_argument("--verbose", action="store_true", help="list the pages whose dates are wrong or missing")
    names = ("REPOSITORY", "OUTPUT", "BASE_URL")
    parser.add_argument("--site", nargs=3, metavar=names, help="only count the dates of another built site")
    return parser.parse_args()


def _result(site: GeneratorSite, arguments: argparse.Namespace) -> list[PageDate]:
    say(site.name)
    with tempfile.TemporaryDirectory() as folder:
        made = make_repository(
            Path(folder) / "repository",
            SITES / site.name,
            site.output,
            below=arguments.below,
            is_withheld=arguments.withhold,
        )
        unpack(_FIXTURES / f"{site.name}.tar.xz", made.output)
        dates = listed_pages(made.folder, made.output, site.base_url, arguments.settings)
        return compare_dates(made, preset_dates(made, dates) if arguments.presets else dates)


def _report(sites: Sequence[GeneratorSite], results: Results, *, is_withheld: bool, is_verbose: bool) -> Report:
    report = Report("dates-withheld" if is_withheld else "dates", "Dates of sites that generators build")
    report.text(
        "A page that is made of one source file, or of several, should have the newest commit time of these. A page "
        "of a *shared* file (the texts of several pages in one file) may have that file's time or none. A page with "
        "*no source*, such as a tag's, should have no date. Of these three, only the wrong dates are shown."
    )
    by_generator: dict[str, Counter[tuple[str, str]]] = {}
    for site in sites:
        by_generator.setdefault(site.generator_name, Counter()).update(count(results[site.name]))
    total = sum(by_generator.values(), Counter[tuple[str, str]]())
    report.table(_HEAD, [_row(name, counts) for name, counts in [*by_generator.items(), ("all", total)]])
    report.text(_summary(total))
    if is_withheld:
        report.text(_withheld(total))
    wanted = ("wrong", "none") if is_verbose else ("wrong",)
    rows = [_detail(name, page) for name, pages in results.items() for page in pages if page.verdict in wanted]
    if rows:
        report.table(["site", "page", "kind", "date", "is that of", "true sources"], rows)
    return report


def _row(name: str, counts: Counter[tuple[str, str]]) -> list[object]:
    one = [counts["one", verdict] for verdict in ("right", "none", "wrong")]
    several = [_of(counts, "several", "right"), _of(counts, "shared", "wrong"), _of(counts, "list", "wrong")]
    return [name, sum(one), *one, *several]


def _of(counts: Counter[tuple[str, str]], kind: str, verdict: str) -> str:
    all_pages = sum(number for (each, _), number in counts.items() if each == kind)
    return f"{counts[kind, verdict]} of {all_pages} {verdict}" if all_pages else ""


def _summary(counts: Counter[tuple[str, str]]) -> str:
    pages = sum(counts["one", verdict] for verdict in ("right", "none", "wrong"))
    right, none, wrong = (_percent(counts["one", verdict], pages) for verdict in ("right", "none", "wrong"))
    return f"Of the {pages} pages that have one source, {right} are right, {none} have no date, {wrong} are wrong."


def _withheld(counts: Counter[tuple[str, str]]) -> str:
    false, right = counts["withheld", "wrong"], counts["withheld", "right"]
    share = _percent(false, false + right)
    return f"Of the {false + right} pages whose sources are not in the repository, {false} have a date: {share}."


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "none"


def _detail(name: str, page: PageDate) -> list[object]:
    return [name, page.key, page.kind, page.verdict, page.given, ", ".join(page.files)]


def _count_dates(repository: Path, output: Path, base_url: str, settings: Sequence[str]) -> None:
    """Print how many pages have a date, and how many have the most common one."""
    dates = listed_pages(repository.absolute(), output.absolute(), base_url, settings)
    counts = Counter(date for date in dates.values() if date)
    most = max(counts.values(), default=0)
    print(f"{len(dates)} pages: {counts.total()} with a date, {len(dates) - counts.total()} without")
    print(f"{len(counts)} different dates; the most common is that of {most} pages")


if __name__ == "__main__":
    main()
