"""Builds sites with their generators, and records the pages and sitemaps in tests/fixtures/generators.

The sites' sources are in `generator_sites`. Names of sites as arguments build these alone.
"""

import argparse
from pathlib import Path

from generator_builds import BuildError, Tools, read_sites
from generator_outputs import FIXTURES, archive
from measure import ROOT, say


def main() -> None:
    """Build and record each site; exits with 1 if a site was not built."""
    arguments = _arguments()
    sites = [site for site in read_sites() if not arguments.names or site.name in arguments.names]
    if unknown := sorted(set(arguments.names) - {site.name for site in sites}):
        raise SystemExit(f"There is no site {', '.join(unknown)} in generator_sites/sites.toml")
    tools, failed = Tools(arguments.tools), False
    for site in sites:
        say(site.name)
        try:
            archive(tools.build(site), FIXTURES / f"{site.name}.tar.xz")
        except BuildError as error:
            failed = True
            say(f"{site.name} was not built: {error}")
    raise SystemExit(failed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="SITE", help="a folder of generator_sites; without it, all")
    tools = ROOT / ".venv" / "generators"
    parser.add_argument("--tools", type=Path, default=tools, help="where the generators are installed (%(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
