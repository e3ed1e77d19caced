"""`waypost merge`: several sitemaps become one, or the children of one index."""

import sys
from pathlib import Path

import click

from waypost.build.answers import count_noun
from waypost.build.build_answer import build_answer, build_lines, excluded_lines
from waypost.build.merge import prepare
from waypost.cli import options as site_options
from waypost.cli.options import SiteOptions
from waypost.cli.output import EXIT_STALE, errors, print_json
from waypost.cli.terminal import Progress, echo, say, warn
from waypost.core.private_hosts import PrivateHosts


@click.command()
@click.argument("sitemaps", nargs=-1, required=True, metavar="SITEMAP...")
@click.option("--index", "is_index", is_flag=True, help="Write an index of the sitemaps, each of which stays as it is.")
@click.option("--dry-run", is_flag=True, help="Print what would be written, and what is left out; write nothing.")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if the written files are not up to date.")
@site_options.allow_private
@site_options.merge_options
def merge(
    sitemaps: tuple[str, ...],
    *,
    is_index: bool,
    dry_run: bool,
    check: bool,
    private: PrivateHosts,
    as_json: bool,
    options: SiteOptions,
) -> None:
    """Write one sitemap of all that each SITEMAP lists, or with --index an index of them, into the folder of --output.

    A SITEMAP is a file or an http(s) URL, also an index. URLs must be below --base-url; each is listed once, as the
    first SITEMAP has it. For several repositories that publish one site. For an index, a SITEMAP is a URL, or a path
    below --base-url.
    """
    with errors():
        flags, issues = site_options.as_settings(options)
        output = site_options.output_folder(options) or Path()
        job = prepare(sitemaps, output, flags, is_index=is_index, private=private, issues=issues)
        with Progress() as progress:
            plan = job.plan(progress)
        is_written = not (dry_run or check)
        if is_written:
            job.apply(plan)
        answer = build_answer(plan, job.site, job.source_kind, job.recognised)
        if as_json:
            print_json(answer)
        for warning in answer.warnings:
            warn(warning.text)
        first, *lines = build_lines(answer, is_written=is_written)
        first = f"an index of {count_noun(len(sitemaps), 'sitemap')}, {answer.root_sitemap}" if is_index else first
        for line in [first, *lines, *(() if as_json else excluded_lines(answer))]:
            say(line) if as_json else echo(line)
        if check and answer.stale:
            sys.exit(EXIT_STALE)
