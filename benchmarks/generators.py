"""Builds sites with their generators, and compares Waypost's list of pages with the generators' own sitemaps.

The sites' sources are in `generator_sites`. Names of sites as arguments build these alone.
"""

import argparse
from collections import Counter
from pathlib import Path

from generator_builds import BuildError, GeneratorSite, Tools, read_sites
from generator_comparison import Comparison, Difference, compare
from generator_outputs import archive
from measure import ROOT, Report, say

_FIXTURES = ROOT / "tests" / "fixtures" / "generators"
Results = dict[str, Comparison | BuildError]


def main() -> None:
    """Build and compare each site; exits with 1 if a site was not built, or a difference has no explanation."""
    arguments = _arguments()
    sites = [site for site in read_sites() if not arguments.names or site.name in arguments.names]
    if unknown := sorted(set(arguments.names) - {site.name for site in sites}):
        raise SystemExit(f"There is no site {', '.join(unknown)} in generator_sites/sites.toml")
    tools = Tools(arguments.tools)
    results: Results = {site.name: _result(site, tools, is_recorded=arguments.record) for site in sites}
    _report(results).write()
    if any(isinstance(each, BuildError) or _unexpected(each) for each in results.values()):
        raise SystemExit(1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="SITE", help="a folder of generator_sites; without it, all")
    tools = ROOT / ".venv" / "generators"
    parser.add_argument("--tools", type=Path, default=tools, help="where the generators are installed (%(default)s)")
    parser.add_argument("--record", action="store_true", help="also write the outputs to tests/fixtures/generators")
    return parser.parse_args()


def _result(site: GeneratorSite, tools: Tools, *, is_recorded: bool) -> Comparison | BuildError:
    say(site.name)
    try:
        output = tools.build(site)
    except BuildError as error:
        return error
    if is_recorded:
        archive(output, _FIXTURES / f"{site.name}.tar.xz")
    return compare(site.name, output, site.base_url)


def _unexpected(result: Comparison) -> list[Difference]:
    return [each for each in result.differences if not each.is_expected]


def _report(results: Results) -> Report:
    report = Report("generators", "Sites that generators build")
    report.text(
        "Waypost lists each site with the base URL as its only setting. *Missing* URLs are only in the generator's "
        "sitemap, *extra* URLs only in Waypost's; URLs in *another form* are the same page in both. A difference is "
        "*expected* if `tests/fixtures/generators/expected.toml` explains why Waypost is right."
    )
    head = ["site", "generator's", "Waypost's", "in both", "missing", "in another form", "extra", "not expected"]
    report.table(head, [_row(name, result) for name, result in results.items()])
    for name, result in results.items():
        if isinstance(result, BuildError):
            report.text(f"**{name}** was not built: {result}")
        elif result.differences:
            report.text(f"## {name}")
            report.table(["URL", "difference", "why"], [_difference_row(each) for each in result.differences])
    return report


def _row(name: str, result: Comparison | BuildError) -> list[object]:
    if isinstance(result, BuildError):
        return [name, "not built", *[""] * 6]
    kinds = Counter(each.kind for each in result.differences)
    counts = [
        result.own_count,
        result.listed_count,
        result.common_count,
        *(kinds[k] for k in ("missing", "form", "extra")),
    ]
    return [name, *counts, len(_unexpected(result))]


def _difference_row(each: Difference) -> list[str]:
    return [each.url, each.kind, each.why if each.is_expected else f"**not expected** {each.why}"]


if __name__ == "__main__":
    main()
