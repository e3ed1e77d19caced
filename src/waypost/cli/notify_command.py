"""`waypost notify`: notifies subscribers of what was published, such as search engines by IndexNow."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from waypost.build.divided_bucket import DividedBucket
from waypost.build.notifications import AllUrls, NotifyAnswer, notify_answer, send_waiting, waiting_results
from waypost.build.subscribers import notify_now, required_subscribers
from waypost.cli import options as site_options
from waypost.cli.options import SiteOptions, wrong_option
from waypost.cli.output import errors, print_json
from waypost.cli.target_opener import read_listed_urls
from waypost.cli.terminal import Progress, echo, pause, say, warn
from waypost.core.dates import DateRange, parse_strict_w3c_date
from waypost.core.diff import compare
from waypost.core.errors import AnnounceError
from waypost.core.hashing import content_digest
from waypost.core.model import Changes, printable
from waypost.core.private_hosts import PrivateHosts
from waypost.core.urls import origin_of
from waypost.notify import Notification, PublishResult, result_file
from waypost.settings.schema import Site

Results = Iterable[PublishResult]


@click.command()
@click.argument("source", required=False)
@site_options.file_option("--changes", "Of a folder: send what `waypost build --changes FILE` has written.")
@click.option("--from", "old", metavar="OLD", help="With --to: send what differs between two sitemaps of any tool.")
@click.option(
    "--to",
    "new",
    metavar="NEW",
    help="Each is a file, a folder, s3://bucket/key, an http(s) URL, REVISION:PATH of Git, or `-`.",
)
@click.option(
    "--since", metavar="DATE", help="With --to, without --from: send the URLs in NEW with this lastmod or a later one."
)
@site_options.allow_private
@click.option("--all", "is_all", is_flag=True, help="Send all URLs of SOURCE to the search engines.")
@click.option("--dry-run", is_flag=True, help="Print what would be sent, and send nothing.")
@site_options.with_state
def notify(
    source: str | None,
    *,
    changes: Path | None,
    old: str | None,
    new: str | None,
    since: str | None,
    private: PrivateHosts,
    is_all: bool,
    dry_run: bool,
    as_json: bool,
    options: SiteOptions,
) -> None:
    """Notify the subscribers that the settings name: `indexnow`, `cloudfront` and `event_bus`.

    Run it when the site is deployed: search engines look at the URLs at once. Of a folder it sends the changes in
    FILE; of a bucket with a state, s3://bucket/prefix, what waits because it could not be sent before. With --from
    and --to it sends the URLs that differ between two sitemaps, whoever made them; with --since and --to, those that
    changed since a date.
    """
    with errors():
        waiting: DividedBucket | None = None
        is_of_sitemaps = since is not None or old is not None or new is not None
        if is_of_sitemaps:
            changed = _differences(old, new, private) if since is None else _changed_since(since, old, new, private)
            site, results = _settings_and_results(source, *changed, options)
        else:
            site, results, waiting = _to_send(source, changes, options, is_all=is_all)
        if private.are_allowed:
            site = replace(site, private_hosts=private)
        if waiting and not dry_run:
            found = send_waiting(waiting)
        else:
            found = _notifications(site, results, is_all=is_all, is_sent=not dry_run, has_other_hosts=is_of_sitemaps)
        answer = notify_answer(results, found)
        print_json(answer) if as_json else _print(answer, is_sent=not dry_run)
        if any(each.problem for each in answer.subscribers):
            sys.exit(AnnounceError.exit_code)


def _differences(old: str | None, new: str | None, private: PrivateHosts) -> tuple[Changes, str]:
    """What differs between two sitemaps, and one of the URLs."""
    if old is None or new is None:
        missing, named = ("--to", "--from") if new is None else ("--from", "--to")
        raise wrong_option(missing, f"it is missing beside {named}", "the other sitemap to compare")
    before, after = (read_listed_urls(each, private) for each in (old, new))
    return compare(before, after), next(iter(after or before), "")


def _changed_since(since: str, old: str | None, new: str | None, private: PrivateHosts) -> tuple[Changes, str]:
    """The URLs of a sitemap whose date is not before another one, and one of its URLs."""
    date = parse_strict_w3c_date(since)
    if isinstance(date, str):
        raise wrong_option("--since", f"{since!r} is no date", "2026-03-01 or 2026-03-01T12:00:00Z")
    if new is None or old is not None:
        raise wrong_option("--since", "it needs --to, and no --from", "the sitemap to send from")
    listed = read_listed_urls(new, private)
    ranges = ((loc, parse_strict_w3c_date(lastmod)) for loc, (lastmod, _) in listed.items())
    changed = sorted(loc for loc, each in ranges if isinstance(each, DateRange) and each.end > date.start)
    return Changes(lastmod_changed=tuple(changed)), next(iter(listed), "")


def _settings_and_results(
    source: str | None, changes: Changes, first: str, options: SiteOptions
) -> tuple[Site, Results]:
    """The settings, and what is to be sent; the base URL is the host of the first URL unless it is set."""
    base_url = options.base_url or (f"{origin_of(first)}/" if first.count("/") > 2 else first)
    site = site_options.folder_settings(source or ".", options, base_url)
    id = content_digest("\n".join([site.base_url, *changes.urls]).encode())
    return site, [PublishResult(id, site.base_url, changes=changes)]


def _to_send(
    source: str | None, changes: Path | None, options: SiteOptions, *, is_all: bool
) -> tuple[Site, Results, DividedBucket | None]:
    """The settings, what subscribers are to be notified of, and the bucket in whose state that is, if it is in one."""
    if changes and not is_all:
        result = result_file.read(changes)
        return site_options.folder_settings(source or ".", options, result.base_url), [result], None
    job = site_options.job(source, options)
    if job.bucket and not is_all:
        bucket = DividedBucket(job.bucket)
        return job.site, waiting_results(bucket), bucket
    if not is_all:
        raise wrong_option("--changes", "it is missing, and a folder does not say what changed", "a file, or --all")
    with Progress() as progress:
        pages = job.list_pages(progress)[0].pages
    return job.site, AllUrls(job.site.base_url, lambda: (page.loc for page in pages)), None


def _notifications(
    site: Site, results: Results, *, is_all: bool, is_sent: bool, has_other_hosts: bool
) -> list[Notification]:
    """Notify the subscribers that the settings name; raises ConfigurationError if there is none."""
    subscribers = required_subscribers(site, is_all=is_all, has_other_hosts=has_other_hosts)
    if is_sent:
        return notify_now(subscribers, results, pause)
    return [Notification(each.name, sent=each.would_send(results)) for each in subscribers]


def _print(answer: NotifyAnswer, *, is_sent: bool) -> None:
    """What was sent, and what was not; in a dry run also the URLs and the files."""
    dropped = {url.url for each in answer.subscribers for url in each.dropped}
    files = [*answer.written, *answer.removed] if any(each.file_count for each in answer.subscribers) else []
    for name in () if is_sent else (*answer.urls, *files):
        if name not in dropped:
            echo(printable(name))
    for each in answer.subscribers:
        for line in each.dropped_lines:
            warn(f"{each.subscriber}: {printable(line)}")
        if each.problem:
            say(f"error: {each.problem}", "red")
        else:
            say(f"{each.subscriber}: {'sent' if is_sent else 'would be sent'} {each.summary}")
