"""Whether `waypost build` without any option is right on real repositories: the folder, the base URL and the URLs.

`recognition_sites.toml` has the repositories, their commits, and what is true of each, with its source; it was written
before Waypost ran on them. CHECKOUTS is a folder with a checkout of each, named as `dir` says. Nothing is written.
A run is right, or it stopped with a question, or it is wrong; of a site that must be built first, it is right to stop
and say so. Exits with 1 if a run is wrong.
"""

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from measure import say

_SITES = Path(__file__).with_name("recognition_sites.toml")
_SECONDS = 600


class Outcome(NamedTuple):
    """What became of a run: `right`, `stopped` or `wrong`, and why."""

    verdict: str
    detail: str = ""


def main() -> None:
    """Run Waypost in each checkout; print a line each, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", type=Path, metavar="CHECKOUTS", help="a folder with the checkouts")
    parser.add_argument("--set", dest="half", default="", help="only the sites of this half: a or b")
    parser.add_argument("--only", default="", help="only the sites whose repository contains this text")
    parser.add_argument("--waypost", default=str(Path(sys.executable).with_name("waypost")), help="the command to run")
    given = parser.parse_args()
    sites = tomllib.loads(_SITES.read_text())["site"]
    chosen = [site for site in sites if given.half in ("", site["set"]) and given.only in site["repo"]]
    counts = Counter[str]()
    for site in chosen:
        outcome = _outcome(site, given.checkouts / site["dir"], given.waypost)
        counts[outcome.verdict] += 1
        say(f"{outcome.verdict:8} {site['repo']} ({site['kind']}): {outcome.detail}")
    say(", ".join(f"{counts[verdict]} {verdict}" for verdict in ("right", "stopped", "wrong")))
    sys.exit(1 if counts["wrong"] else 0)


def _outcome(site: dict[str, Any], checkout: Path, command: str) -> Outcome:
    arguments = [command, "build", "--dry-run", "--json", "--set", "lastmod=none"]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    done = subprocess.run(
        arguments, cwd=checkout, capture_output=True, text=True, timeout=_SECONDS, env=environ, check=False
    )
    if done.returncode:
        first = done.stderr.partition("\n")[0]
        is_right = site["must_build_first"] and "build the site first" in done.stderr
        return Outcome(
            "right" if is_right else "stopped", done.stderr.replace("\n", " ")[:300] if not is_right else first
        )
    if site["must_build_first"]:
        return Outcome("wrong", "it must be built first")
    problems = list(_problems(site, json.loads(done.stdout)))
    return Outcome("wrong" if problems else "right", "; ".join(problems))


def _problems(site: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    """What differs from the truth."""
    found: list[str] = []
    bases = [site["base_url"], *site.get("base_url_also_ok", [])]
    if answer["base_url"] not in bases:
        found.append(f"base URL {answer['base_url']}, and not {bases[0]}")
    folder = next((each["value"] for each in answer["recognised"] if each["name"] == "folder"), ".")
    if os.path.normpath(folder) != os.path.normpath(site["source"]):
        found.append(f"folder {folder}, and not {site['source']}")
    listed = {page["loc"]: page["key"] for page in answer["pages"]}
    # Hosts answer a folder and its index file alike; which of them is listed is right by the page's own links alone.
    folders = {loc.removesuffix("index.html") for loc in listed}
    found += [
        f"{url} is missing" for url in site["urls"] if url.removesuffix("index.html") not in folders and not found
    ]
    found += [f"{key} is listed" for key in site.get("not_listed", []) if key in listed.values()]
    return found


if __name__ == "__main__":
    main()
