"""`waypost date`: gives the sitemaps of any tool the dates of the site's pages, and changes nothing else in them."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from waypost.app.formatting import count_noun
from waypost.app.job import Job, now
from waypost.app.locations import Locations, parse_location
from waypost.app.named_sitemaps import named_sitemaps
from waypost.app.sitemap_dates import DateAnswer, base_url_of, known_pages, redate
from waypost.build.present_sitemaps import name_in, with_children
from waypost.cli import options as site_options
from waypost.cli.exits import EXIT_FOUND, errors, print_json
from waypost.cli.options import SiteOptions
from waypost.cli.terminal import Progress, echo, say
from waypost.core import tree_files
from waypost.core.errors import ConfigIssue, ConfigurationError, SourceError
from waypost.core.gzip import compress
from waypost.core.model import printable
from waypost.rules.honest_dates import Why
from waypost.stores import Store

_MOST_LINES = 20
_TEXT = {
    Why.CHANGED_THEN: "the page changed then",
    Why.FUTURE: "it is in the future",
    Why.SAME_FOR_ALL: "nearly all URLs have it, and pages that were found changed at other times",
}


@click.command()
@click.argument("sitemaps", nargs=-1, required=True, metavar="SITEMAP...")
@click.option(
    "--source",
    metavar="DIR",
    help="The folder of the built site, or s3://bucket/prefix. [default: the folder of the first SITEMAP]",
)
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="Where to write the one SITEMAP.")
@click.option("--in-place", is_flag=True, help="Write each file again where it is, also those that an index lists.")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if a date is wrong, not if one is missing.")
@site_options.with_state
def date(
    sitemaps: tuple[str, ...],
    *,
    source: str | None,
    output: Path | None,
    in_place: bool,
    check: bool,
    as_json: bool,
    options: SiteOptions,
) -> None:
    """Give the sitemaps of any tool the dates of the site's pages, and change nothing else in them.

    A SITEMAP is a file, s3://bucket/key, an http(s) URL, or `-`; what an index lists is dated, too. The page of a URL
    is found in the built site, and dated as `waypost build` does. A URL without a page keeps its date, unless that is
    in the future, or nearly all URLs have it and pages that were found contradict it. The result goes to standard
    output.
    """
    with errors():
        targets = [_Target(each) for each in sitemaps]
        files = {f"{target.folder}{name}": body for target in targets for name, body in target.bodies.items()}
        if not (in_place or check) and len(files) > 1:
            raise _error("--in-place", f"it is missing, and there are {len(files)} files")
        job = _job(source or targets[0].site, options, files)
        with Progress() as progress:
            pages = known_pages(*job.list_pages(progress, believes_sitemaps=False), job.site)
        found = redate(files, pages, job.site, now())
        if in_place and not check:
            for target in targets:
                target.write(found.bodies, found.answer.changed_files)
        elif not check:
            _write_one(next(iter(files)), found.bodies, output)
        is_sitemap_printed = not (in_place or check or output)
        _report(found.answer, as_json=as_json and not is_sitemap_printed, show=say if is_sitemap_printed else echo)
        if check and found.answer.wrong_count:
            sys.exit(EXIT_FOUND)


def _job(source: str | None, options: SiteOptions, files: Mapping[str, bytes]) -> Job:
    """The run over the site, at the base URL of the sitemaps' own URLs if nothing else says which it is."""
    try:
        job = site_options.job(source, options)
    except ConfigurationError as error:
        is_missing = {issue.key for issue in error.issues} == {"base_url"} and options.base_url is None
        folder = Path(source or ".")
        base_url = base_url_of(files, lambda key: tree_files.is_file(folder / key, folder)) if is_missing else None
        if base_url is None:
            raise
        job = site_options.job(source, replace(options, base_url=base_url))
    if not isinstance(job, Job):
        raise _error("--state", "a ledger has the dates of a bucket's own sitemaps only")
    return job


class _Target:
    """A sitemap, and those that it lists; `folder` is what their names begin with."""

    def __init__(self, target: str) -> None:
        self._target, self._store = target, _store_of(target)
        self.folder, self.site = "", None
        if target == "-":
            self.bodies: Mapping[str, bytes] = {"standard input": sys.stdin.buffer.read(tree_files.MOST_BYTES)}
        elif self._store is None:
            self.bodies = named_sitemaps(target, Path(), "SITEMAP", may_be_private=True)
        else:
            folder, slash, name = target.replace(os.sep, "/").rpartition("/")
            self.folder, self.site = f"{folder}{slash}", folder or slash or "."
            self.bodies = with_children([name], self._store.read, name_in(self._store))
        if not self.bodies:
            raise SourceError(f"{target} does not exist; name a file, s3://bucket/key, an http(s) URL, or -")

    def write(self, bodies: Mapping[str, bytes], changed: Sequence[str]) -> None:
        """Write the files of this target that changed where they were; raises StoreError."""
        if self._store is None:
            raise _error("--in-place", f"{self._target} cannot be written")
        for name in self.bodies:
            if (path := f"{self.folder}{name}") in changed:
                self._store.write(name, compress(bodies[path]) if name.endswith(".gz") else bodies[path])


def _store_of(target: str) -> Store | None:
    """Where a file can be written again; None for a URL and for standard input."""
    if target == "-" or target.startswith(("http://", "https://")):
        return None
    folder = target.replace(os.sep, "/").rpartition("/")[0]
    return Locations().store(parse_location(folder or ("/" if target.startswith("/") else ".")))


def _write_one(name: str, bodies: Mapping[str, bytes], output: Path | None) -> None:
    body = bodies[name]
    if output is None:
        sys.stdout.buffer.write(body)
    else:
        tree_files.write(output, compress(body) if output.name.endswith(".gz") else body)


def _report(answer: DateAnswer, *, as_json: bool, show: Callable[[str], None]) -> None:
    if as_json:
        print_json(answer)
    else:
        for line in _lines(answer):
            show(line)
    found = f"{count_noun(answer.url_count, 'URL')}, {answer.found_count:,} of them found on the site"
    missing = len(answer.changes) - answer.wrong_count
    say(f"{found}: {count_noun(answer.wrong_count, 'wrong date')}, {missing:,} missing")


def _lines(answer: DateAnswer) -> Iterator[str]:
    """The first dates that are wrong, and why."""
    for each in answer.changes[:_MOST_LINES]:
        yield f"{printable(each.loc)}: {each.before or 'no date'} -> {each.after or 'no date'} ({_TEXT[each.why]})"
    if (more := len(answer.changes) - _MOST_LINES) > 0:
        yield f"… and {more:,} more; --check --json lists all"


def _error(key: str, problem: str) -> ConfigurationError:
    return ConfigurationError((ConfigIssue("command line", key, problem),))
