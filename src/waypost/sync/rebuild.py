"""Brings a bucket's ledger and sitemaps up to date by a listing of the bucket, and builds them if there are none."""

from collections.abc import Collection
from functools import partial

from msgspec.structs import replace

from waypost.core.errors import ConflictError, SettingsChangedError
from waypost.core.model import Example, SiteWarning, UrlForm
from waypost.core.warnings import site_warning
from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest
from waypost.ledger.store import MANIFEST_NAME, MAX_ATTEMPTS, LedgerVersion
from waypost.ledger.url_list import UrlList
from waypost.sync.build import Build, BuildStep, position
from waypost.sync.builder_lease import LONGEST_STOP
from waypost.sync.drift import DriftCheck
from waypost.sync.moved_urls import check_moved_urls
from waypost.sync.named_urls import NamedUrls
from waypost.sync.rebuild_context import CHECKED, DeadlineReached, RebuildContext, rebuild_context
from waypost.sync.reconciliation import Reconciliation
from waypost.sync.result import RunResult
from waypost.sync.site_warnings import form_warnings, newer_release_warning
from waypost.sync.updater import Updater
from waypost.sync.url_form import find_url_form


def update(updater: Updater, keys: Collection[str], deadline_reached: DeadlineReached = lambda: False) -> RunResult:
    """Bring the sitemaps up to date for these keys, by a rebuild if the ledger was built with other settings.

    Raises as `Updater.update`, but never SettingsChangedError.
    """
    started = updater.lease_clock.time()
    try:
        return updater.update(keys, deadline_reached)
    except SettingsChangedError:
        done = _Rebuild(rebuild_context(updater, deadline_reached, started)).run()
        # The rebuild may have continued another process's after these keys, which changed since.
        if done.resume_after is not None:
            return done
        return done + updater.update(keys, deadline_reached, redelivered=keys)


def rebuild(
    updater: Updater,
    deadline_reached: DeadlineReached = lambda: False,
    start_after: str = "",
    max_removed: int | None = None,
    stopped_at: float | None = None,
    drift_check: DriftCheck | None = None,
) -> RunResult:
    """Bring the ledger and the sitemaps up to date by a listing of the bucket, or of the keys after `start_after`.

    Records that are still right are kept. `max_removed` replaces the setting of that name. A rebuild that was
    `stopped_at` a time (Unix seconds) is continued after `start_after`, or begun again if that is long ago. With a
    `drift_check` the result counts the objects whose events were lost. Raises
    SourceError, RemovalError if too many of the listed pages would be removed, OutdatedSettingsError if the ledger has
    newer settings, OtherRunError if another run builds, and as `update`.
    """
    started = updater.lease_clock.time()
    if stopped_at is not None and started - stopped_at > LONGEST_STOP:
        start_after = ""
    context = rebuild_context(updater, deadline_reached, started, max_removed, drift_check)
    return _Rebuild(context).run(start_after)


class _Rebuild:
    """One rebuild: a build, or a comparison with a complete ledger, or one after the other."""

    def __init__(self, context: RebuildContext) -> None:
        self._context, self._updater, self._ledger = context, context.updater, context.updater.ledger
        self._build = Build(context)
        self._found_form: UrlForm | None = None
        self._named_urls = NamedUrls(self._updater, context.removal_check.max_removed)
        self._form_result = RunResult()

    def run(self, start_after: str = "") -> RunResult:
        """Do all of it, or as much as there is time for; `resume_after` of the result is where to continue."""
        done, attempts, reached, is_begun = RunResult(), 0, "", start_after != ""
        while attempts < MAX_ATTEMPTS:
            version = self._context.builder.wait(self._ledger.read_or_recover())
            rules = self._updater.robots_rules()  # read after the manifest, so that they are not older
            # Attempts count only while the build makes no progress.
            attempts = attempts + 1 if position(version.manifest) == reached else 1
            reached = position(version.manifest) or ""
            try:
                # First, once: which URLs are there besides the objects, and would the rebuild remove too many pages?
                urls = None if is_begun else self._named_urls.read(version.manifest)
                if not is_begun:
                    with self._updater.urls_of(version.manifest, urls):
                        if not self._is_removal_allowed(version.manifest, rules):
                            return done + RunResult(resume_after=CHECKED)
                version = self._begun(version, urls, start_after, rules)
                done += self._form_result if is_begun else self._named_urls.result + self._form_result
                is_begun = True
                # Third: compare a complete ledger with the bucket, or go on with the build that is not finished.
                with self._updater.urls_of(version.manifest):
                    result, is_finished = self._advance(version, start_after, rules)
                done += result
                if is_finished or result.resume_after is not None:
                    return done
            except (ConflictError, SettingsChangedError):
                done += RunResult(conflicts=1)
        raise ConflictError(f"other runs changed the ledger {MAX_ATTEMPTS} times while this run tried; run it again")

    def _begun(self, version: LedgerVersion, urls: UrlList | None, start_after: str, rules: str) -> LedgerVersion:
        """The manifest with which this rebuild works; `urls` are what the settings name besides the objects, if asked.

        Second: begin a build, unless the ledger was built with these settings and rules.
        """
        before, self._form_result = version.manifest, RunResult()
        is_current = self._updater.is_built_with(before, rules)
        if not is_current or self._has_other_urls(before, start_after):
            most = self._context.removal_check.max_removed
            check_moved_urls(self._updater, before, self._url_form(), most)
            self._form_result = RunResult(warnings=self._warnings(version))
            return self._build.begin(version, rules, self._url_form(), partial(self._named_urls.remembered, urls=urls))
        after, files = self._named_urls.remembered(version, before, urls)
        # It does not take the publisher's lease: the rebuild publishes at its end.
        return version if after == before else self._ledger.commit(version, after, files)

    def _advance(self, version: LedgerVersion, start_after: str, rules: str) -> BuildStep:
        """Build, or compare, as far as there is time and no other writer is first."""
        if version.manifest.is_complete:
            return BuildStep(Reconciliation(self._context).run(version, start_after, rules), is_finished=True)
        return self._build.advance(self._context.builder.take(version), rules)

    def _is_removal_allowed(self, manifest: Manifest, rules: str) -> bool:
        """False if there is no time to count what the rebuild would remove; raises RemovalError if that is too much."""
        if manifest.is_complete:
            return self._context.removal_check.check(manifest, rules)
        if self._updater.is_built_with(manifest, rules) or not manifest.previous:
            return True  # a build that continues was checked when it began
        return self._context.removal_check.check(self._ledger.read_archived(manifest.previous), rules)

    def _url_form(self) -> UrlForm:
        """The form that the site's links use; they are read once."""
        if self._found_form is None:
            self._found_form = find_url_form(self._updater)
        return self._found_form

    def _has_other_urls(self, manifest: Manifest, start_after: str) -> bool:
        """Whether a complete ledger lists pages in another form than the site's links use when a rebuild begins."""
        return start_after in ("", CHECKED) and manifest.is_complete and self._url_form() != manifest.url_form

    def _warnings(self, version: LedgerVersion) -> tuple[SiteWarning, ...]:
        """What the owner should know of the manifest that a build replaces; if it was lost, so are all dates."""
        manifest = version.manifest
        if manifest.generation == 0 and (version.etag or self._ledger.has_records()):
            return (site_warning("records-lost", [Example(MANIFEST_NAME)]),)
        of_release = newer_release_warning(manifest.recorded_facts)
        return (*of_release, *form_warnings(manifest.url_form, self._url_form())) if manifest.built_at else of_release


def without_run(manifest: Manifest) -> Manifest:
    """The manifest after its distributed rebuild was ended: a build remains for others, its other data goes."""
    run, publisher = manifest.run, manifest.publisher
    builder = None if manifest.is_complete else BuilderLease(position=position(manifest), previous=manifest.previous)
    is_own = run and publisher and publisher.owner == run.owner
    return replace(manifest, builder=builder, publisher=None if is_own else publisher)
