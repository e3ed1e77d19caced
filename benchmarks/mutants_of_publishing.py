"""Small mistakes in how several processes agree on what is committed and who publishes.

Each is killed by the recorded schedule of its name (`tests/schedules/recorded.json`), most of which random ones found.
"""

from mutant import Mutant

_TEST = "tests/integration/test_schedules.py::test_a_recorded_schedule_breaks_no_invariant"


def _mutant(name: str, module: str, old: str, new: str) -> Mutant:
    return Mutant(f"publishing-{name}", module, old, new, [f"{_TEST}[{name}]"])


MUTANTS_OF_PUBLISHING = [
    _mutant(
        "no-file-is-pending-again-after-a-lost-lease",
        "sync/publisher.py",
        "unverified = with_unverified_files(manifest, progress.attempted)",
        "unverified = manifest",
    ),
    _mutant(
        "an-uncertain-commit-is-taken-for-a-certain-one",
        "ledger/store.py",
        "        self.has_uncertain_commit = True\n",
        "        self.has_uncertain_commit = False\n",
    ),
    _mutant(
        "a-commit-without-an-answer-is-believed",
        "ledger/store.py",
        "if present.manifest.revision == revision:",
        "if present.manifest.revision:",
    ),
    _mutant(
        "nothing-changed-ends-after-an-uncertain-commit",
        "sync/updater.py",
        " or self.ledger.has_uncertain_commit:\n            version = self.commit",
        ":\n            version = self.commit",
    ),
    _mutant(
        "no-wait-after-a-write-without-an-answer",
        "sync/publication_writer.py",
        "                self._lease.wait_out_margin()\n",
        "                pass\n",
    ),
    _mutant(
        "no-wait-after-a-deletion-without-an-answer",
        "sync/unreferenced_files.py",
        "    if unanswered:\n",
        "    if unanswered and not gone and not refused:\n",
    ),
    _mutant(
        "no-margin-before-the-end-of-the-lease",
        "sync/publisher_lease.py",
        "return self._clock.time() < self.expires - self._timing.margin",
        "return self._clock.time() < self.expires",
    ),
    _mutant(
        "a-lease-is-held-for-ever",
        "sync/publisher_lease.py",
        "return self._clock.time() < self.expires - self._timing.margin",
        "return True",
    ),
    _mutant(
        "a-file-that-others-made-pending-again-is-finished",
        "sync/publication_writer.py",
        " or each.generation != generations[each.name])",
        ")",
    ),
    _mutant(
        "pending-files-have-no-generation",
        "ledger/pending_files.py",
        "PendingFile(name, after.generation, ",
        "PendingFile(name, 0, ",
    ),
    _mutant(
        "sitemaps-that-lose-pages-are-written-first",
        "sync/publication_writer.py",
        "        yield _first(sitemaps)\n",
        "        yield [*_last(sitemaps), *_first(sitemaps)]\n",
    ),
    _mutant(
        "indexes-are-written-before-sitemaps",
        "sync/publication_writer.py",
        "        yield _first(sitemaps)\n",
        "        yield _first(indexes)\n        yield _first(sitemaps)\n",
    ),
    _mutant(
        "no-file-with-both-lists",
        "sync/publication_writer.py",
        "            return self._files.replacement(file.name, self._body(planned))\n",
        "            return AT_ONCE\n",
    ),
    _mutant(
        "a-range-that-shrinks-is-written-first",
        "sync/publication_writer.py",
        "return Replacement(is_last=loses)",
        "return Replacement(is_last=False)",
    ),
    _mutant(
        "unreferenced-files-are-deleted-at-once",
        "sync/unreferenced_files.py",
        "if each.since and lease.now() - each.since >= UNREFERENCED_SECONDS",
        "if each.since",
    ),
    _mutant(
        "unreferenced-files-are-deleted-before-all-is-published",
        "sync/unreferenced_files.py",
        "if each.since and lease.now() - each.since >= UNREFERENCED_SECONDS",
        "if lease.now() - each.since >= UNREFERENCED_SECONDS",
    ),
    _mutant(
        "the-ledger-s-files-are-deleted-at-once",
        "ledger/store.py",
        "old = sorted(set(unnamed).intersection(noted.names))[:_MAX_DELETED]",
        "old = sorted(unnamed)[:_MAX_DELETED]",
    ),
    _mutant(
        "files-are-deleted-outside-the-lease",
        "sync/unreferenced_files.py",
        "        if not lease.has_time():\n            return False\n",
        "",
    ),
    _mutant(
        "another-writer-s-file-is-deleted",
        "sync/unreferenced_files.py",
        "if present.etag is None or not present.is_ours:\n            return True",
        "if present.etag is None:\n            return True",
    ),
    _mutant(
        "sitemaps-are-deleted-before-indexes",
        "sync/unreferenced_files.py",
        "    yield from ([each] for each in sorted(others",
        "    yield shards\n    yield from ([each] for each in sorted(others",
    ),
    _mutant(
        "objects-are-not-looked-at-again",
        "sync/updater.py",
        "return self._changed_again(update.changed_etags)",
        "return []",
    ),
    _mutant(
        "an-update-in-a-build-replaces-nothing",
        "sync/updater.py",
        "if after is not before or not before.is_complete or",
        "if after is not before or",
    ),
    _mutant(
        "a-build-ends-under-other-rules",
        "sync/build.py",
        "            if chunk.through is None and self._updater.robots_rules() != rules:\n",
        "            if chunk.through is None and not rules and self._updater.robots_rules() is None:\n",
    ),
    _mutant(
        "no-key-is-deferred-to-a-run",
        "sync/deferred_keys.py",
        "if builder is None or not builder.is_run:",
        "if builder is None or builder.is_run:",
    ),
    _mutant(
        "older-settings-begin-a-build",
        "sync/builder_lease.py",
        "if before.config_digest and self._started < before.config_since + self._timing.clock_skew:",
        "if False:",
    ),
    _mutant(
        "config-since-goes-back", "sync/builder_lease.py", "max(manifest.config_since, self._started)", "self._started"
    ),
    _mutant(
        "only-changed-files-are-pending-after-a-build",
        "ledger/manifest_update.py",
        "names = set() if before.is_complete else set(after.files)",
        "names = set[str]()",
    ),
    _mutant(
        "what-was-pending-is-known",
        "sync/publishing_work.py",
        "{each.name for each in after.pending} - {each.name for each in before.pending}",
        "{each.name for each in after.pending}",
    ),
    _mutant(
        "moved-duplicates-are-known",
        "sync/publishing_work.py",
        "in_doubt = {*update.files_of_moved_urls, *_possibly_deleted(known, after)}",
        "in_doubt = _possibly_deleted(known, after)",
    ),
    _mutant(
        "a-file-that-may-be-deleted-is-known",
        "sync/publishing_work.py",
        "in_doubt = {*update.files_of_moved_urls, *_possibly_deleted(known, after)}",
        "in_doubt = update.files_of_moved_urls",
    ),
    _mutant(
        "what-others-made-pending-is-known",
        "sync/publishing_work.py",
        "if each.generation > self._last_generation}",
        "if each.generation < 0}",
    ),
    _mutant(
        "nobody-waits-for-the-publisher",
        "sync/publisher.py",
        "        return has_pending(manifest, generation) or (",
        "        return (has_pending(manifest, generation) and is_free) or (",
    ),
    _mutant(
        "no-message-before-the-lease-of-a-commit",
        "sync/bucket_context.py",
        "            self.before_taking_lease()\n",
        "",
    ),
    _mutant(
        "two-processes-have-one-owner-id",
        "sync/bucket_context.py",
        "self.lease = self.publisher_lease(PublisherLease(ledger.new_id()))",
        'self.lease = self.publisher_lease(PublisherLease("a"))',
    ),
    _mutant(
        "a-lease-is-taken-from-a-live-publisher",
        "sync/publisher_lease.py",
        "return lease is None or lease.owner == self.owner or not lease.is_live(self._clock.time())",
        "return True",
    ),
    _mutant(
        "robots-txt-is-overwritten",
        "sync/publication_writer.py",
        "self._store(ROBOTS, change.body, change.etag, {})",
        "self._store(ROBOTS, change.body, self._files.robots_change(self._manifest).etag, {})",
    ),
    _mutant(
        "files-are-written-over-what-is-there-now",
        "sync/publication_writer.py",
        "return self._store(name, body, present.etag, file",
        "return self._store(name, body, self._present(planned.file, {}).etag, file",
    ),
    _mutant(
        "another-writer-s-html-is-overwritten",
        "sync/publication_writer.py",
        "if not output_names.is_for_crawlers(name):",
        "if False:",
    ),
    _mutant(
        "a-worker-s-lease-never-ends",
        "distributed/publish.py",
        "lease.expires = batch.expires",
        "lease.expires = batch.expires + 90_000",
    ),
    _mutant(
        "a-run-s-last-phase-begins-early",
        "distributed/run_publisher.py",
        "names if found.is_last_phase else unfinished(names, done):",
        "names if found.is_last_phase else set[str]():",
    ),
    _mutant("a-run-sends-no-message", "distributed/commit.py", "        self._updater.before_taking_lease()\n", ""),
    _mutant(
        "a-run-forgets-its-deferred-keys",
        "distributed/commit.py",
        "names = current.builder.deferred_keys if current.builder else ()",
        "names = ()",
    ),
    _mutant(
        "a-build-takes-a-run-s-lease",
        "sync/bucket_context.py",
        "publisher=before.publisher and replace(before.publisher, is_run=False),",
        "publisher=None,",
    ),
    _mutant(
        "a-repaired-file-stays-as-it-is",
        "sync/output_repairs.py",
        "name in pending and problem == DIFFERS} - {ROBOTS}",
        "name in pending} - {ROBOTS}",
    ),
    _mutant(
        "a-rebuild-does-not-look-at-files",
        "sync/reconciliation.py",
        "wrong_files(after) if after.is_publishable else {}",
        "wrong_files(after, ()) if after.is_publishable else {}",
    ),
    _mutant(
        "nothing-listed-is-published",
        "ledger/manifest.py",
        "return self.is_complete and self.page_count > 0",
        "return self.is_complete",
    ),
    _mutant(
        "an-update-does-not-end-by-changed-rules",
        "sync/updater.py",
        "if self.robots_rules() != version.manifest.robots_rules:",
        "if False:",
    ),
    _mutant(
        "a-claim-never-ends",
        "ledger/outbox.py",
        "return not file.owner or now >= file.expires",
        "return not file.owner",
    ),
    _mutant(
        "what-a-dead-run-left-is-not-published",
        "sync/bucket_context.py",
        "return version if version.manifest.pending and self.lease.is_free(version.manifest) else None",
        "return None",
    ),
    _mutant(
        "unchanged-digest-in-pending",
        "ledger/pending_files.py",
        "for file in after.pending if file.name in files or file.name == ROBOTS} | added",
        "for file in after.pending if file.name in files} | added",
    ),
]
