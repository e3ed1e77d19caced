"""Measures how soon a report can be used in Chromium: on a small site, one with 100 problems, and 50,000 pages.

The development requirements and a browser must be installed (`make browser`).
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from measure import ROOT, ROUNDS, Report, decision, environment
from playwright.sync_api import Browser, sync_playwright

_MOST_SECONDS = 1.0
_NAMES = {
    "healthy": "300 pages, nothing to fix",
    "problems": "1,125 pages, 100 things to fix",
    "large": "50,000 pages, all of them with a warning, and 10,000 files left out",
}
_USABLE = """() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
    const isShown = document.querySelector("#rows tr") && document.querySelector("#map .cell");
    done(isShown ? performance.now() : NaN);
})))"""
_OPEN = """() => new Promise((done) => {
    const start = performance.now();
    (document.querySelector(".problem") || {}).open = true;
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""
_SEARCH = """() => new Promise((done) => {
    const start = performance.now(), found = document.getElementById("found");
    new MutationObserver(() => done(performance.now() - start)).observe(found, {childList: true});
    document.getElementById("reason").value = "*";
    document.getElementById("query").value = "journal 99";
    document.getElementById("query").dispatchEvent(new Event("input"));
})"""
"""The search begins 120 ms after the last letter."""


def main() -> None:
    """Write the reports, and open each several times."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        variables = environment() | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"}
        subprocess.run([sys.executable, str(ROOT / "tests/report_sites.py"), name], env=variables, check=True)
        executable = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=executable)
        rounds = [{site: _opened(browser, folder / f"{site}.html") for site in _NAMES} for _ in range(ROUNDS)]
        browser.close()
        sizes = {site: (folder / f"{site}.html").stat().st_size / 1_000_000 for site in _NAMES}
    columns = {site: zip(*(each[site] for each in rounds), strict=True) for site in _NAMES}
    figures = {site: [median(column) for column in columns[site]] for site in _NAMES}
    _report(figures, sizes).write()


def _opened(browser: Browser, path: Path) -> tuple[float, float, float]:
    """The seconds until the report can be used, until a problem's pages are shown, and until a search has found."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(path.as_uri())
    usable, opened, searched = (float(page.evaluate(script)) / 1_000 for script in (_USABLE, _OPEN, _SEARCH))
    page.close()
    return usable, opened, searched


def _report(figures: dict[str, list[float]], sizes: dict[str, float]) -> Report:
    report = Report("report", "The report in a browser")
    report.text(
        "Seconds in headless Chromium from the navigation until the map and the first files are shown, from opening "
        "the first problem until its pages are shown, and from typing until the files found are shown (of which "
        "0.12 s are a pause after the last letter)."
    )
    rows = [[_NAMES[site], f"{sizes[site]:.1f}", *(f"{seconds:.2f}" for seconds in figures[site])] for site in _NAMES]
    report.table(["site", "MB", "usable", "a problem opened", "searched"], rows)
    report.text(f"Medians of {ROUNDS} rounds.")
    usable = figures["large"][0]
    target = f"under {_MOST_SECONDS:g} s to usable at 50,000 pages"
    report.table(["target", "measured", ""], [[target, f"{usable:.2f}", decision(usable, _MOST_SECONDS)]])
    return report


if __name__ == "__main__":
    main()
