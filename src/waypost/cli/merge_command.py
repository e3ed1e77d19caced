"""`waypost merge`: several sitemaps become one, or the children of one index."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from waypost.build.answers import count_noun
from waypost.build.build_answer import build_answer, build_lines, excluded_lines
from waypost.build.job import Job, SiteInput, check_all
from waypost.build.named_places import NamedPlaces
from waypost.cli import options as site_options
from waypost.cli.options import SiteOptions
from waypost.cli.output import EXIT_STALE, errors, print_json
from waypost.cli.terminal import Progress, echo, say, warn
from waypost.core.errors import ConfigIssue
from waypost.core.model import Item, Skipped
from waypost.core.private_hosts import PrivateHosts
from waypost.core.reasons import Reason
from waypost.files import FolderStore
from waypost.files.folder_source import FolderSource
from waypost.settings.load import ConfigSource


class _NoPages(FolderSource):
    """A folder of which no page is listed; its robots.txt and the sitemaps in it count."""

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """Nothing."""
        del prunes
        return iter(())


def merge_job(
    sitemaps: Sequence[str],
    output: Path,
    flags: ConfigSource,
    *,
    is_index: bool,
    private: PrivateHosts,
    issues: Sequence[ConfigIssue],
) -> Job:
    """A run without pages of its own; paths are relative to the working folder. Raises ConfigurationError."""
    named = [{"from": each, "as": "child"} if is_index else each for each in sitemaps]
    values = {"sitemaps": named, "lastmod": "none"}
    config_sources = [ConfigSource("command line", values, is_trusted=True), flags]
    site = replace(check_all(config_sources, issues), private_hosts=private)
    nothing = SiteInput(_NoPages(output, may_be_absent=True))  # the first write creates the folder
    return Job(site, NamedPlaces(config_sources, Path()), nothing, FolderStore(output))


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
        job = merge_job(sitemaps, output, flags, is_index=is_index, private=private, issues=issues)
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
