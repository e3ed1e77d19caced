"""Builds the sitemaps of a small site in a Git repository, changes a page, and builds again; `make demo` runs it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
GARDEN = ROOT / "examples" / "garden"
REPOSITORY = ROOT / "build" / "demo"
HISTORY = (
    ("2024-03-10T08:00:00Z", "Publish the site", (".", ":!public/blog", ":!public/guides/watering", ":!public/fr")),
    ("2024-10-28T17:30:00Z", "Write about the first frost", ("public/blog/first-frost*", "public/blog/index.html")),
    ("2025-02-14T10:15:00Z", "Write about pruning", ("public/blog/pruning.html",)),
    ("2025-06-21T19:05:00Z", "Add a guide to watering", ("public/guides/watering",)),
    ("2025-08-03T06:40:00Z", "Write about cafés and tomatoes", ("public/blog",)),
    ("2026-01-20T12:00:00Z", "Translate the home page", ("public/fr",)),
)
"""When the files of the example site are committed: a time, a message, and Git's pathspecs."""
AUTHOR = {f"GIT_{role}_{name}": "demo" for role in ("AUTHOR", "COMMITTER") for name in ("NAME", "EMAIL")}


def main() -> None:
    """Build from commits of different times, build again after another commit, and ask for reasons."""
    _make_repository()
    _say("A site of 13 pages in a Git repository. These are its commits:")
    _git("log", "--format=%ad  %s", "--date=short")
    _say("Build its sitemaps. Each page gets the date of the last commit that changed it:")
    _run("waypost", "build", "public")
    _show("sitemap.xml", "sitemap-pages.xml", "sitemap-blog.xml", "robots.txt")
    _say("Change one page and commit. One page gets a new date, and only its sitemap and the index are written:")
    page = REPOSITORY / "public" / "blog" / "first-frost.html"
    page.write_text(page.read_text(encoding="utf-8").replace("first of November", "end of October"), "utf-8")
    _commit("2026-04-02T09:20:00Z", "Bring the lemons in earlier", "public/blog/first-frost.html")
    _run("waypost", "build", "public")
    _show("sitemap-blog.xml")
    _say("Build again. Nothing has changed, so nothing is written:")
    _run("waypost", "build", "public")
    _say("Ask why two pages are left out and a third one is listed:")
    _run("waypost", "explain", "public", "guides/draft.html", "private/ledger.html", "blog/café.html")
    _say("Write the report: what there is to fix, as one page to open in a browser:")
    _run("waypost", "report", "public", "--to", "report.html")
    print(f"\nThe repository and its report.html are in {REPOSITORY.relative_to(ROOT)}.", flush=True)


def _make_repository() -> None:
    """Copy the example site, and commit its files at the times of HISTORY."""
    shutil.rmtree(REPOSITORY, ignore_errors=True)
    shutil.copytree(GARDEN, REPOSITORY, symlinks=True)
    _git("init", "--quiet", "--initial-branch=main")
    for when, message, paths in HISTORY:
        _commit(when, message, *paths)


def _commit(when: str, message: str, *paths: str) -> None:
    _git("add", "--", *paths)
    _git("commit", "--quiet", "--message", message, GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when)


def _git(*arguments: str, **variables: str) -> None:
    """Run Git in the repository, with no settings but its own."""
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat", **AUTHOR, **variables}
    subprocess.run(["git", *arguments], cwd=REPOSITORY, env={**_environment(), **settings}, check=True)


def _run(command: str, *arguments: str) -> None:
    """Show a command of the virtual environment and run it in the repository."""
    print(f"$ {command} {' '.join(arguments)}", flush=True)
    program = str(Path(sys.executable).with_name(command))
    subprocess.run([program, *arguments], cwd=REPOSITORY, env=_environment(), check=True, stderr=subprocess.STDOUT)


def _environment() -> dict[str, str]:
    """The environment without what would lead Git to another repository."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def _show(*names: str) -> None:
    for name in names:
        print(f"\n-- {name}\n{(REPOSITORY / 'public' / name).read_text(encoding='utf-8').rstrip()}", flush=True)


def _say(line: str) -> None:
    print(f"\n== {line}", flush=True)


if __name__ == "__main__":
    main()
