"""Measures `waypost audit` of a site of 10,000 pages with 100 links each, compared with the build of the same site."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from measure import ROUNDS, Report, Run, decision, median_run, run, say, seconds_of

from waypost.app.folder import prepare
from waypost.build.site_audit import PagesRead
from waypost.config.load import ConfigSource

_BASE = "https://www.example.org/"
_MOST_ADDED, _MOST_MEGABYTES = 0.5, 300
_MENU, _IN_TEXT, _WORDS = 60, 40, 600
_LISTED = "the audit of a listing"
_COMMAND = [sys.executable, "-c", "from waypost.cli.main import main; main()"]


def main() -> None:
    """Write the site, then build and audit it in turn, several rounds over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--of-listing", type=Path, metavar="DIR", help="only print how long this site's audit takes")
    given = parser.parse_args()
    if given.of_listing:
        print(_seconds_of_listed(given.of_listing))
    else:
        _measure(given.pages)


def _seconds_of_listed(folder: Path) -> float:
    """How long an audit takes of a listing that is made anyway, as for a report."""
    job = prepare(folder, ConfigSource("benchmark", {"base_url": _BASE}))
    read = PagesRead()
    listing, _ = job.list_pages(lambda stage, done, total: None, read.add)
    return seconds_of(lambda: job.audit_listed(listing, read, lambda stage, done, total: None))


def _measure(pages: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "site"
        _write(folder, pages)
        build = [*_COMMAND, "build", str(folder), "--base-url", _BASE, "--dry-run", "--json"]
        commands = {
            "build": build,
            "build with a state": [*build, "--state", str(folder.parent / "state.jsonl")],
            "audit": [*_COMMAND, "audit", str(folder), "--base-url", _BASE, "--json"],
            _LISTED: [sys.executable, __file__, "--of-listing", str(folder)],
            "--version": [*_COMMAND, "--version"],
        }
        rounds: dict[str, list[Run]] = {way: [] for way in commands}
        for n in range(ROUNDS + 1):
            for way, command in commands.items():
                say(f"round {n} of {ROUNDS}: {way}")
                measured = run(command)
                rounds[way] += [measured] if n else []
        _check(json.loads(rounds["audit"][-1].output), pages)
    listed = median(float(each.output) for each in rounds.pop(_LISTED))
    _report({way: median_run(runs) for way, runs in rounds.items()}, listed, pages).write()


def _write(folder: Path, pages: int) -> None:
    """Pages in folders of 100, each with a menu, links to the next pages, and text; tracked by Git in one commit."""
    menu = "".join(f'<li><a class="menu" href="/s{n:03}/p00.html">Section {n}</a></li>\n' for n in range(_MENU))
    for n in range(pages):
        path = folder / _key(n)
        path.parent.mkdir(parents=True, exist_ok=True)
        near = "".join(
            f'<p>See <a href="../{_key((n + 37 * m + 1) % pages)}#part">page {m}</a>.</p>\n' for m in range(_IN_TEXT)
        )
        text = " ".join(f"word{(n * 7 + m) % 997}" for m in range(_WORDS))
        path.write_text(
            f"<!doctype html><html><head><title>Page {n}</title><meta name=description content='About {n}'></head>\n"
            f"<body><ul>{menu}</ul><p>{text}</p>{near}<img src='/logo.png' alt=''></body></html>\n"
        )
    (folder / "index.html").write_text(f"<!doctype html><title>Home</title><ul>{menu}</ul>")
    (folder / "logo.png").write_bytes(b"\x89PNG")
    git = ["git", "-C", str(folder), "-c", "user.name=B", "-c", "user.email=b@example.org"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "Site"]):
        subprocess.run([*git, *arguments], check=True)


def _key(n: int) -> str:
    return f"s{n // 100:03}/p{n % 100:02}.html"


def _check(answer: dict[str, Any], pages: int) -> None:
    """Nothing may be found, and each page must have been read, or the comparison says nothing."""
    found = answer["error_count"], answer["warning_count"], answer["checked"]["pages"]
    if found != (0, 0, pages + 1):
        raise SystemExit(f"the audit found something, or missed pages: {found}")


def _report(runs: dict[str, Run], listed: float, pages: int) -> Report:
    report = Report("audit", "Auditing")
    report.text(f"{pages:,} pages with {_MENU + _IN_TEXT} links each, tracked by Git in one commit.")
    report.table(
        ["command", "s", "peak MB"],
        [[f"`waypost {way}`", f"{each.seconds:.2f}", f"{each.megabytes:.0f}"] for way, each in runs.items()],
    )
    report.text(
        f"Medians of {ROUNDS} rounds after a warm-up, each command in a process of its own. A build with a state dates "
        "the pages by their text. `waypost audit` adds to a build its time without that of `waypost --version`. A "
        f"report audits the pages that its listing has read, which takes {listed:.2f} s."
    )
    peak = runs["audit"].megabytes
    added = {"the command": runs["audit"].seconds - runs["--version"].seconds, "an audit in a report": listed}
    builds = {"by Git's dates": runs["build"].seconds, "with a state": runs["build with a state"].seconds}
    shares = {
        f"{what} adds less than half to a build {how}": seconds / build
        for what, seconds in added.items()
        for how, build in builds.items()
    }
    report.table(
        ["target", "measured", ""],
        [
            *([target, f"{share:.2f}", decision(share, _MOST_ADDED)] for target, share in shares.items()),
            [f"under {_MOST_MEGABYTES} MB", f"{peak:.0f}", decision(peak, _MOST_MEGABYTES)],
        ],
    )
    return report


if __name__ == "__main__":
    main()
