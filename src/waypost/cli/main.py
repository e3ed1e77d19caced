"""The `waypost` command."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from waypost import __version__
from waypost.app import formatting, ledger_site
from waypost.app.job import Job
from waypost.app.ledger_site import LedgerSite
from waypost.build.lister import Listing
from waypost.cli import check_commands, options, report_command, scaffold
from waypost.cli.exits import EPILOG, errors, print_json
from waypost.cli.terminal import Progress, say
from waypost.core import urls
from waypost.core.errors import SourceError, StoreError, WaypostError
from waypost.core.model import Document, Plan
from waypost.sources import git
from waypost.sync import inspect
from waypost.sync import rebuild as rebuilding
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater

_STALE = 1
_STALE_ADVICE = {
    False: "stale: run `waypost build` and publish what it writes",
    True: "stale, as far as a shallow clone can tell: fetch the history, and check again",
}


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, epilog=EPILOG)
@click.version_option(__version__, "-V", "--version", message="waypost %(version)s")
def main() -> None:
    """Keep a website's sitemaps true.

    \b
    Try it on a folder of HTML files, without writing anything:
      waypost build public --base-url https://www.example.org/ --dry-run
    """


main.add_command(check_commands.validate)
main.add_command(check_commands.diff)
main.add_command(report_command.command)


@main.command(epilog=EPILOG, short_help="Render the sitemaps of a folder.")
@click.argument("source", default=".")
@options.site_options
@click.option("--dry-run", is_flag=True, help="Print what would be written, removed and left out; write nothing.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 where what stands is stale.")
def build(source: str, *, as_json: bool, dry_run: bool, check: bool, **given: Any) -> None:
    """Render the sitemaps of the site in SOURCE: a folder (default: the present one), or s3://bucket/prefix.

    Pages are HTML and PDF files, unless the settings say otherwise. What is hidden, an error
    page, noindex, a redirect, a copy of another page or disallowed by robots.txt is left out;
    `waypost explain` tells which rule left out a file. Dates come from Git's history.
    """
    began = time.monotonic()
    with errors():
        job = options.job(source, given)
        if isinstance(job, LedgerSite):
            updater = job.dry_run_updater() if dry_run or check else job.updater
            told = _tended(
                updater, began, lambda: rebuilding.rebuild(updater), as_json=as_json, is_written=not (dry_run or check)
            )
            is_stale, advice = bool(told["written"] or told["removed"]), _STALE_ADVICE[False]
        else:
            plan = _planned(job)
            if not (dry_run or check):
                job.apply(plan)
            if as_json:
                print_json(formatting.as_json(plan, job.site))
            elif dry_run:
                click.echo(
                    "\n".join([*formatting.summary_lines(plan, is_written=False), *formatting.skipped_lines(plan)])
                )
            _close(plan, began, is_written=not (dry_run or check), is_told=dry_run and not as_json)
            is_stale, advice = plan.is_stale, _STALE_ADVICE["shallow" in plan.no_date_reason.values()]
        if check and is_stale:
            say(advice, "red")
            sys.exit(_STALE)


@main.command(epilog=EPILOG, short_help="Bring a bucket's sitemaps up to changed keys.")
@click.argument("source")
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@options.site_options
def update(source: str, keys: tuple[str, ...], *, as_json: bool, **given: Any) -> None:
    """Look at each KEY of the bucket SOURCE, s3://bucket/prefix, and rewrite the sitemaps that it concerns.

    The ledger that --state names knows all other keys, so nothing is listed. `-` reads keys from
    standard input, one a line.
    """
    began = time.monotonic()
    with errors():
        job = options.ledger_site(source, given)
        named = [*(key for key in keys if key != "-"), *(sys.stdin.read().splitlines() if "-" in keys else ())]
        run = partial(rebuilding.update, job.updater, [job.key(key) for key in named])
        told = _tended(job.updater, began, run, as_json=as_json)
        if told["failed"]:
            sys.exit(SourceError.exit_code)


@main.command(epilog=EPILOG, short_help="Say what a bucket's ledger knows.")
@click.argument("source")
@click.option("--check", is_flag=True, help="Compare bucket, ledger and sitemaps; exit 1 where they differ.")
@options.site_options
def status(source: str, *, as_json: bool, check: bool, **given: Any) -> None:
    """Tell how many pages the ledger of the bucket SOURCE, s3://bucket/prefix, lists, and when it was last built."""
    with errors():
        updater = options.ledger_site(source, given).updater
        found = inspect.check(updater) if check else inspect.status(updater)
        if as_json:
            print_json(found)
        else:
            click.echo("\n".join(ledger_site.inspection_lines(found)))
        if check and not found["is_right"]:
            sys.exit(_STALE)


@main.command(epilog=EPILOG, short_help="Say why files are listed or left out.")
@click.argument("source")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@options.site_options
def explain(source: str, paths: tuple[str, ...], *, as_json: bool, **given: Any) -> None:
    """Say of each PATH in SOURCE whether it is listed, with its URL and date, or why it is left out."""
    with errors():
        job = options.job(source, given)
        if isinstance(job, LedgerSite):
            found = [inspect.explain(job.updater, job.key(path)) for path in paths]
        else:
            listing, documents = _explored(job)
            found = [formatting.explanation(listing, documents, _key(job, listing, path)) for path in paths]
        if as_json:
            print_json(found)
        for each in () if as_json else found:
            click.echo("\n".join(_explained(each)))
        if any(each.get("reason") == formatting.NOT_FOUND for each in found):
            sys.exit(SourceError.exit_code)


@main.group(short_help="Connect a bucket to the function.")
def aws() -> None:
    """Prepare a bucket for the function that infra/template.yaml deploys."""


@aws.command(short_help="Have a bucket tell EventBridge of its objects.")
@click.argument("bucket")
@click.option("--dry-run", is_flag=True, help="Only say whether anything would change.")
def connect(bucket: str, *, dry_run: bool) -> None:
    """Have BUCKET tell EventBridge of its objects; its other notifications stay as they are."""
    with errors():
        options.need_boto3()
        from waypost.app.bucket import s3_client
        from waypost.aws import bucket_events

        bucket = bucket.removeprefix("s3://").rstrip("/")
        is_changed = bucket_events.connect(s3_client(), bucket, is_trial=dry_run)
        _say_connected(bucket, "tells", is_changed=is_changed, is_trial=dry_run)


@aws.command(short_help="Have a bucket no longer tell EventBridge.")
@click.argument("bucket")
@click.option("--dry-run", is_flag=True, help="Only say whether anything would change.")
def disconnect(bucket: str, *, dry_run: bool) -> None:
    """Have BUCKET no longer tell EventBridge of its objects. Other rules that listen to it hear nothing more either."""
    with errors():
        options.need_boto3()
        from waypost.app.bucket import s3_client
        from waypost.aws import bucket_events

        bucket = bucket.removeprefix("s3://").rstrip("/")
        is_changed = bucket_events.disconnect(s3_client(), bucket, is_trial=dry_run)
        _say_connected(bucket, "does not tell", is_changed=is_changed, is_trial=dry_run)


def _say_connected(bucket: str, does: str, *, is_changed: bool, is_trial: bool) -> None:
    when = ("would now" if is_trial else "now") if is_changed else "already"
    say(f"{bucket} {when}: it {does} EventBridge of its objects; its other notifications are as they were")


@main.command(short_help="Write example settings and a workflow.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=".")
@click.option("--base-url", metavar="URL", help="The URL of the site's root folder. [default: from a CNAME file]")
def init(folder: Path, base_url: str | None) -> None:
    """Write a commented waypost.toml and an example workflow to FOLDER; nothing is overwritten."""
    with errors():
        base = _checked_base(base_url) or _base_from_cname(folder)
        root = git.repository_root(folder) if folder.is_dir() else None
        source = folder.resolve().relative_to(root.resolve()).as_posix() if root else "."
        is_new = _start(folder / scaffold.SETTINGS_FILE, scaffold.settings_file(base))
        _start((root or folder) / scaffold.WORKFLOW, scaffold.workflow(git.branch(folder) if root else "main", source))
        if base is None and is_new:
            say(f"next: set base_url in {folder / scaffold.SETTINGS_FILE}")


def _start(target: Path, content: bytes) -> bool:
    """Write a file unless it is there; returns whether it was written."""
    if target.exists():
        say(f"left alone: {target} is there already", "yellow")
        return False
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror}") from error
    say(f"written: {target}", "green")
    return True


def _explored(job: Job) -> tuple[Listing, Sequence[Document]]:
    """The listing, and the documents made of it; what keeps them from being made is a warning."""
    progress = Progress()
    try:
        listing, memory = job.list_pages(progress)
        try:
            return listing, job.plan_publication(listing, memory, progress).documents
        except WaypostError as error:
            progress.clear()
            say(f"warning: no sitemap can be made: {error}", "yellow")
            return listing, ()
    finally:
        progress.clear()


def _planned(job: Job) -> Plan:
    progress = Progress()
    try:
        return job.plan(progress)
    finally:
        progress.clear()


def _tended(
    updater: Updater, began: float, run: Callable[[], RunResult], *, as_json: bool, is_written: bool = True
) -> dict[str, Any]:
    """Do it, and say what was done, or would be."""
    told = ledger_site.answer(updater, run())
    for warning in told["warnings"]:
        say(f"warning: {warning}", "yellow")
    if as_json:
        print_json(told)
    for line in () if as_json else ledger_site.summary_lines(told, is_written=is_written):
        say(line)
    say(f"  {'finished' if is_written else 'nothing written'}, {time.monotonic() - began:.2f} s")
    if not told["pages_listed"]:
        raise SourceError("there is no page to list; what was published before still stands")
    return told


def _close(plan: Plan, began: float, *, is_written: bool, is_told: bool) -> None:
    for warned in plan.warnings:
        say(f"warning: {formatting.warning_text(warned)}", "yellow")
    if not is_told:
        for line in formatting.summary_lines(plan, is_written=is_written):
            say(line)
    say(f"  {'finished' if is_written else 'nothing written'}, {time.monotonic() - began:.2f} s")


def _key(job: Job, listing: Listing, path: str) -> str:
    """A path as given, or a page's URL, as the site's key."""
    if "://" in path:
        return next((page.key for page in listing.pages if page.loc == path), job.key(path))
    return job.key(path)


def _explained(found: dict[str, Any]) -> Iterator[str]:
    yield found["path"]
    if found["listed"]:
        yield f"  listed    {found['loc']}"
        yield f"  lastmod   {found['lastmod'] or 'none'}" + (f": {found['undated']}" if found["undated"] else "")
        yield f"  sitemap   {found['sitemap'] or 'none'}"
    else:
        yield f"  left out  {found['reason']}: {found['detail']}"
        if found["rule_at"] != found["path"]:
            yield f"  decided   at the folder {found['rule_at']}"


def _checked_base(base_url: str | None) -> str | None:
    try:
        return urls.normalize_base_url(base_url) if base_url else None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--base-url") from None


def _base_from_cname(folder: Path) -> str | None:
    """GitHub Pages keeps a site's own domain in a file of this name."""
    try:
        return urls.normalize_base_url(f"https://{(folder / 'CNAME').read_text(encoding='utf-8').strip()}")
    except (OSError, ValueError):
        return None
