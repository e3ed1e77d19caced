"""The example of a checkout in a repository, with templates of its own, and changes to it."""

import os
import shutil
import subprocess
from pathlib import Path

DAY = 86_400
FIRST_COMMIT = 1_700_000_000
GIT = ("git", "-c", "user.name=Example", "-c", "user.email=example@example.org", "-c", "init.defaultBranch=main")
_TEMPLATES = ("sitemap.xml.j2", "sitemap-index.xml.j2", "robots.txt.j2")


def make(checkout: Path, garden: Path) -> Path:
    """Three commits: all pages, a change, a page moved; and a change that is in no commit."""
    shutil.copytree(checkout / "examples" / "garden", garden, symlinks=True)
    _override_templates(checkout / "templates", garden / "own")
    public = garden / "public"
    git(garden, "init", "--quiet", day=0)
    _commit_all(garden, 1)
    _append(public / "blog" / "first-frost.html", "<p>It came early.")
    _commit_all(garden, 2)
    (public / "about.html").rename(public / "about-us.html")
    _commit_all(garden, 3)
    _append(public / "guides" / "pruning.html", "<p>Not yet in a commit.")
    return garden


def edit(garden: Path) -> None:
    """Change two pages, one of them only in a comment; remove one, and add one."""
    public = garden / "public"
    _append(public / "index.html", "<p>Another text.")
    _append(public / "blog" / "index.html", "<!-- The same text. -->")
    (public / "about-us.html").unlink()
    (public / "new.html").write_text("<title>New</title>", encoding="utf-8")


def git(folder: Path, *arguments: str, day: int) -> str:
    """Run Git, at a number of days after the first commit; returns what it prints."""
    dates = commit_dates(day)
    command = [*GIT, "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, env=os.environ | dates, capture_output=True, text=True).stdout


def commit_dates(day: int) -> dict[str, str]:
    """The variables that give a commit its dates."""
    return dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{FIRST_COMMIT + day * DAY} +0000")


def _commit_all(garden: Path, number: int) -> None:
    git(garden, "add", "--all", day=number)
    git(garden, "commit", "--quiet", "--message", f"Commit {number}", day=number)


def _append(page: Path, text: str) -> None:
    page.write_bytes(page.read_bytes() + text.encode())


def _override_templates(own: Path, folder: Path) -> None:
    """Copies of a checkout's templates with a comment, as users make them."""
    folder.mkdir()
    for name in _TEMPLATES:
        comment = "# Changed\n" if name == "robots.txt.j2" else "<!-- Changed -->\n"
        (folder / name).write_text((own / name).read_text(encoding="utf-8") + comment, encoding="utf-8")
