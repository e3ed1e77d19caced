"""The commands on any sitemaps: `waypost validate`, `check-live` and `diff`.

What they do is imported only when they are called, so that other commands start faster.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from waypost.cli.exits import EPILOG, errors
from waypost.cli.options import SiteOptions, read_only_options

if TYPE_CHECKING:
    from waypost.cli.diff_command import DiffFormat

_EXIT_FOUND = 1
_ALLOW_PRIVATE = click.option(
    "--allow-private", is_flag=True, help="Also fetch from private networks, such as this machine."
)


def _percent(_context: click.Context, _option: click.Parameter, value: str | None) -> float | None:
    """A share from 0 to 100 that is written with or without `%`."""
    if value is None:
        return None
    try:
        number = float(value.removesuffix("%"))
    except ValueError:
        number = -1
    if not 0 <= number <= 100:
        raise click.BadParameter(f"{value!r} is not a percentage from 0 to 100")
    return number


@click.command(epilog=EPILOG, short_help="Check any sitemaps against the protocol.")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--url", default="", help="Where a file or folder is published, which decides what it may list.")
@click.option("--against", metavar="SOURCE", help="The site to compare with: a folder or s3://bucket/prefix.")
@click.option(
    "--most",
    default=100,
    type=click.IntRange(0),
    metavar="N",
    help="Print at most N findings of each code in a file; 0: all. [default: 100]",
)
@click.option(
    "--max-minutes",
    default=60,
    type=click.IntRange(0),
    metavar="N",
    help="After N minutes, open no more of the sitemaps that an index lists. [default: 60]",
)
@_ALLOW_PRIVATE
@click.option("--no-follow", is_flag=True, help="Do not check the sitemaps that an index lists.")
@read_only_options
def validate(
    targets: Sequence[str],
    *,
    url: str,
    against: str | None,
    most: int,
    max_minutes: int,
    allow_private: bool,
    no_follow: bool,
    as_json: bool,
    options: SiteOptions,
) -> None:
    """Check each TARGET: a sitemap, an index with all that it lists, a text file, an RSS or Atom feed.

    A TARGET is a file, a folder, s3://bucket/key, an http(s) URL, or `-` for standard input; gzip is understood.
    Exits with 1 if search engines would ignore anything in it. With --against, the listed URLs are compared with the
    site, read by its settings.
    """
    with errors():
        from waypost.cli.target_opener import TargetOpener
        from waypost.cli.validate_command import Validation

        opener = TargetOpener(url, may_be_private=allow_private, is_followed=not no_follow, max_minutes=max_minutes)
        if Validation(opener, most, against, options).run(targets, as_json=as_json):
            sys.exit(_EXIT_FOUND)


@click.command("check-live", epilog=EPILOG, short_help="Ask the server for every URL that sitemaps list.")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--url", default="", help="Where a file or folder is published.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Ask only N of the URLs, each time the same.")
@click.option(
    "--rate",
    default=5.0,
    type=click.FloatRange(0.01, 1_000),
    metavar="N",
    help="Send at most N requests a second to a host. [default: 5]",
)
@click.option(
    "--concurrency",
    default=4,
    type=click.IntRange(1, 64),
    metavar="N",
    help="Send at most N requests at the same time. [default: 4]",
)
@click.option("--read-pages", is_flag=True, help="Read each page, and not only the headers of the answer.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Remember the answers in FILE, and continue what it has of an interrupted run.",
)
@click.option("--max-minutes", type=click.IntRange(0), metavar="N", help="Ask nothing more after N minutes.")
@click.option(
    "--most",
    default=5,
    type=click.IntRange(0),
    metavar="N",
    help="Print at most N URLs of each code; 0: all. [default: 5]",
)
@_ALLOW_PRIVATE
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def check_live(
    targets: Sequence[str],
    *,
    url: str,
    sample: int | None,
    rate: float,
    concurrency: int,
    read_pages: bool,
    resume: Path | None,
    max_minutes: int | None,
    most: int,
    allow_private: bool,
    as_json: bool,
) -> None:
    """Ask the server for every URL that the sitemaps in each TARGET list, and compare its answers with them.

    A TARGET is a sitemap, an index, a folder or a robots.txt, as for `validate`. Finds URLs that fail, redirect, are
    noindex, or are not canonical. Exits with 1 if there are errors, and with 3 if there are none, but URLs were not
    asked.
    """
    with errors():
        from waypost.cli.check_live_command import LiveRun, Options
        from waypost.cli.target_opener import TargetOpener

        options = Options(sample, rate, concurrency, read_pages, resume, max_minutes, most)
        opener = TargetOpener(url, may_be_private=allow_private)
        if LiveRun(opener, options, targets).run(as_json=as_json):
            sys.exit(_EXIT_FOUND)


@click.command(epilog=EPILOG, short_help="Print what changed between two sitemaps.")
@click.argument("old")
@click.argument("new")
@click.option(
    "--most",
    default=50,
    type=click.IntRange(0),
    metavar="N",
    help="Print at most N URLs of each kind of change; 0: all. [default: 50]",
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if anything changed.")
@click.option(
    "--fail-if-removed",
    callback=_percent,
    metavar="N%",
    help="Exit with 9 if more than N% of the URLs in OLD were removed; moves do not count.",
)
@_ALLOW_PRIVATE
@click.option(
    "--format",
    "output",
    default="text",
    type=click.Choice(("text", "json", "markdown")),
    help="How to print the changes; Markdown fits in a comment on GitHub. [default: text]",
)
@click.option("--json", "output", flag_value="json", help="The same as --format json.")
def diff(
    old: str,
    new: str,
    *,
    most: int,
    exit_code: bool,
    fail_if_removed: float | None,
    allow_private: bool,
    output: "DiffFormat",
) -> None:
    """Compare the URLs that OLD and NEW list: each a file, a folder, s3://bucket/key, an http(s) URL, or `-`.

    Prints which URLs were added and removed, which pages moved to another URL, and which have another date or other
    metadata: changefreq, priority, alternates, images, videos or news.
    """
    with errors():
        from waypost.cli import diff_command

        if (
            diff_command.diff(old, new, most, output, max_removed=fail_if_removed, may_be_private=allow_private)
            and exit_code
        ):
            sys.exit(_EXIT_FOUND)
