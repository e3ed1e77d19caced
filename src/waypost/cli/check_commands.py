"""`waypost validate` and `waypost diff`: their options. What they do is imported only where it is asked for."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from waypost.cli import options
from waypost.cli.exits import EPILOG, errors

_WRONG = 1


@click.command(epilog=EPILOG, short_help="Check sitemaps, anyone's, against the protocol.")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--url", default="", help="Where a file or folder is published, for what it may list.")
@click.option("--against", metavar="SOURCE", help="The site, a folder or s3://bucket/prefix, to compare with.")
@click.option(
    "--most",
    default=100,
    type=click.IntRange(0),
    metavar="N",
    help="Findings shown of each code in a file; 0: all. [default: 100]",
)
@click.option("--allow-private", is_flag=True, help="Also ask hosts of private networks, such as this machine.")
@click.option("--no-follow", is_flag=True, help="Leave the sitemaps that an index lists alone.")
@options.read_only_options
def validate(
    targets: Sequence[str],
    *,
    url: str,
    against: str | None,
    most: int,
    allow_private: bool,
    no_follow: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Check each TARGET: a sitemap, an index with all that it lists, a text file, an RSS or Atom feed.

    A TARGET is a file, a folder, s3://bucket/key, an http(s) URL, or `-` for standard input; gzip is understood.
    Exits with 1 where readers would drop anything. With --against, what is listed is compared with the site,
    by its settings.
    """
    with errors():
        from waypost.cli import validate_command

        if validate_command.validate(
            targets, url, against, most, given, as_json=as_json, may_be_private=allow_private, is_followed=not no_follow
        ):
            sys.exit(_WRONG)


@click.command(epilog=EPILOG, short_help="Say what changed between two sitemaps.")
@click.argument("old")
@click.argument("new")
@click.option(
    "--most",
    default=50,
    type=click.IntRange(0),
    metavar="N",
    help="URLs shown of each kind of change; 0: all. [default: 50]",
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 where anything changed.")
@click.option("--allow-private", is_flag=True, help="Also ask hosts of private networks, such as this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on standard output.")
def diff(old: str, new: str, *, most: int, exit_code: bool, allow_private: bool, as_json: bool) -> None:
    """Compare what OLD and NEW list: each a file, a folder, s3://bucket/key, an http(s) URL, or `-`.

    Tells what was added and removed, what has another date, and what is described otherwise: its changefreq,
    priority, alternates, images, videos or news.
    """
    with errors():
        from waypost.cli import diff_command

        if diff_command.diff(old, new, most, as_json=as_json, may_be_private=allow_private) and exit_code:
            sys.exit(_WRONG)
