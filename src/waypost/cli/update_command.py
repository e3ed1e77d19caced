"""`waypost update`: a bucket's sitemaps, after some of its keys have changed."""

import sys
import time
from collections.abc import Sequence

import click

from waypost.build import divided_bucket
from waypost.build.bucket_explanation import object_key
from waypost.build.divided_bucket import DividedBucket
from waypost.cli import options as site_options
from waypost.cli.bucket_output import report_run
from waypost.cli.exits import errors
from waypost.cli.options import SiteOptions
from waypost.core.errors import RebuildNeededError, SourceError


@click.command()
@click.argument("source")
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@site_options.site_options
def update(source: str, keys: tuple[str, ...], *, as_json: bool, options: SiteOptions) -> None:
    """Read each KEY of the bucket SOURCE, s3://bucket/prefix, and rewrite the sitemaps that it changes.

    The state that --state names has all other keys, so nothing is listed. `-` reads keys from
    standard input, one on each line.
    """
    started = time.monotonic()
    with errors():
        bucket = site_options.stateful_bucket(source, options)
        divided = DividedBucket(bucket)
        try:
            named = [object_key(key, bucket.site, bucket.site_uri) for key in _expand_keys(keys)]
            results = [each for _, each in divided_bucket.update(divided, named)]
        except RebuildNeededError:
            results = [each for _, each in divided_bucket.rebuild(divided)]  # it looks at all objects, these included
        if report_run(bucket, divided_bucket.combined(results), started, as_json=as_json).failed:
            sys.exit(SourceError.exit_code)


def _expand_keys(keys: Sequence[str]) -> list[str]:
    """The keys, with those from standard input in place of `-`."""
    piped = sys.stdin.read().splitlines() if "-" in keys else ()
    return [*(key for key in keys if key != "-"), *piped]
