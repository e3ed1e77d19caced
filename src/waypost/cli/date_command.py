"""`waypost date`: gives the sitemaps of any tool the dates of the site's pages, and changes nothing else in them."""

import sys
from dataclasses import replace
from pathlib import Path

import click

from waypost.build.job import Job
from waypost.build.sitemap_dates import DatedFile, change_lines, redated_files
from waypost.cli import options as site_options
from waypost.cli.options import LocalPath, SiteOptions
from waypost.cli.output import EXIT_FOUND, errors, print_answer
from waypost.cli.terminal import Progress, say, warn
from waypost.core import tree_files
from waypost.core.gzip import compress_if_gzip
from waypost.core.private_hosts import PrivateHosts

_MOST_LINES = 20


@click.command()
@click.argument("sitemaps", nargs=-1, required=True, metavar="SITEMAP...")
@click.option(
    "--source",
    metavar="DIR",
    help="The folder of the built site, or s3://bucket/prefix. [default: the folder of the first SITEMAP]",
)
@click.option("--output", metavar="FILE", type=LocalPath(), help="Where to write the one SITEMAP.")
@click.option(
    "--in-place",
    is_flag=True,
    help="Write each file again where it is, also those that an index lists, and their .gz twins.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if a date is wrong, not if one is missing.")
@site_options.allow_private
@site_options.with_state
def date(
    sitemaps: tuple[str, ...],
    *,
    source: str | None,
    output: Path | None,
    in_place: bool,
    check: bool,
    private: PrivateHosts,
    as_json: bool,
    options: SiteOptions,
) -> None:
    """Give the sitemaps of any tool the dates of the site's pages, and change nothing else in them.

    A SITEMAP is a file, s3://bucket/key, an http(s) URL, or `-`; what an index lists is dated, too. The page of a URL
    is found in the built site, and dated as `waypost build` does. Where the date of a page is not known, the URL keeps
    what is written, unless that is in the future, or a time that nearly all URLs have and found pages contradict. The
    result goes to standard output.
    """
    with errors():
        if output and (in_place or check):
            raise site_options.wrong_option("--output", "it goes with neither --in-place nor --check")
        files = [DatedFile(each, private, has_twins=in_place or check) for each in sitemaps]
        paths = [path for file in files for path in file.bodies]
        if not (in_place or check) and len(paths) > 1:
            raise site_options.wrong_option("--in-place", f"it is missing, and there are {len(paths)} files")
        with Progress() as progress:
            found = redated_files(files, source, lambda at, base: _job(at, base, options), progress)
        if in_place and not check:
            for file in files:
                file.write(found)
        elif not check:
            _write_one(found.bodies[paths[0]], output)
        lines = change_lines(found.answer, _MOST_LINES, "; --check --json lists all")
        if is_sitemap_printed := not (in_place or check or output):
            for line in lines:
                say(line)
        else:
            print_answer(found.answer, lines, as_json=as_json)
        if found.answer.warning:
            warn(found.answer.warning)
        say(found.answer.summary)
        if is_sitemap_printed and found.answer.changes:
            say("  no file was written; --in-place writes the sitemap, and --output FILE another file")
        if check and found.answer.wrong_count:
            sys.exit(EXIT_FOUND)


def _job(source: str | None, base_url: str | None, options: SiteOptions) -> Job:
    return site_options.job(source, replace(options, base_url=options.base_url or base_url))


def _write_one(body: bytes, output: Path | None) -> None:
    if output is None:
        sys.stdout.buffer.write(body)
    else:
        tree_files.write(output, compress_if_gzip(output.name, body))
