"""The commands on any sitemaps: `waypost validate` and `waypost diff`.

What they do is imported only when they are called, so that other commands start faster.
"""

import sys
from collections.abc import Sequence

import click

from waypost.cli.exits import EPILOG, errors
from waypost.cli.options import SiteOptions, read_only_options

_EXIT_FOUND = 1
_ALLOW_PRIVATE = click.option(
    "--allow-private", is_flag=True, help="Also fetch from private networks, such as this machine."
)


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
@_ALLOW_PRIVATE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on standard output.")
def diff(old: str, new: str, *, most: int, exit_code: bool, allow_private: bool, as_json: bool) -> None:
    """Compare the URLs that OLD and NEW list: each a file, a folder, s3://bucket/key, an http(s) URL, or `-`.

    Prints which URLs were added and removed, and which have another date or other metadata: changefreq, priority,
    alternates, images, videos or news.
    """
    with errors():
        from waypost.cli import diff_command

        if diff_command.diff(old, new, most, as_json=as_json, may_be_private=allow_private) and exit_code:
            sys.exit(_EXIT_FOUND)
