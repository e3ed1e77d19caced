"""Builds the example site's sitemaps and shows them; what `make demo` runs."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SITE = ROOT / "examples" / "garden"
OUTPUT = ROOT / "build" / "demo"


def main() -> None:
    """Build twice, to show that the second run writes nothing; then explain some pages."""
    build = ["build", str(SITE / "public"), "--config", str(SITE / "waypost.toml"), "--output", str(OUTPUT)]
    for file in OUTPUT.glob("*"):
        file.unlink()
    _say("A site of 13 pages, and 11 files that must not be listed. Its sitemaps:")
    _waypost(*build)
    for name in ("sitemap.xml", "sitemap-blog.xml", "robots.txt"):
        _say(f"{(OUTPUT / name).relative_to(ROOT)}:")
        print((OUTPUT / name).read_text(encoding="utf-8"))
    _say("A second build writes nothing, because nothing has changed:")
    _waypost(*build)
    _say("Why are some pages excluded, and is this one listed?")
    pages = [str(SITE / "public" / name) for name in ("guides/draft.html", "private/ledger.html", "blog/café.html")]
    _waypost("explain", str(SITE / "public"), *pages, "--config", str(SITE / "waypost.toml"))


def _say(line: str) -> None:
    print(f"\n== {line}", flush=True)


def _waypost(*arguments: str) -> None:
    shown = [argument.replace(f"{ROOT}/", "") for argument in arguments]
    print(f"$ waypost {' '.join(shown)}", flush=True)
    subprocess.run([str(Path(sys.executable).with_name("waypost")), *arguments], check=True, stderr=subprocess.STDOUT)


if __name__ == "__main__":
    main()
