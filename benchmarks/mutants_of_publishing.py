"""Small mistakes in how several processes agree on what is committed and who publishes, and in partitions."""

from mutant import Mutant

_RUNS = (
    "tests/unit/build/test_bucket_run.py",
    "tests/unit/build/test_subscribers.py",
    "tests/unit/build/test_wanted_files.py",
)


def _mutant(name: str, module: str, old: str, new: str) -> Mutant:
    return Mutant(f"publishing-{name}", f"build/{module}.py", old, new, _RUNS)


def _of_partitions(name: str, module: str, old: str, new: str) -> Mutant:
    return Mutant(f"partitions-{name}", f"build/{module}.py", old, new, ["tests/unit/build/test_divided_bucket.py"])


MUTANTS_OF_PUBLISHING = [
    _mutant(
        "state-without-if-match",
        "state_file",
        "self.store.put_if_match(self.name, data, before.etag)",
        "self.store.put_if_match(self.name, data, (s.etag if (s := self.store.get(self.name)) else None))",
    ),
    _mutant(
        "no-look-at-the-end",
        "bucket_run",
        "            return publisher.written or head.pending\n",
        "            return ()\n",
    ),
    _mutant("objects-not-asked-again", "object_looks", "            self._forget_changed(keys)", "            pass"),
    _mutant(
        "ask-compares-etag-alone",
        "object_looks",
        "(now.etag, now.modified) == (before.etag, before.uploaded_at)",
        "now.etag == before.etag",
    ),
    _mutant("order-never-counts", "publication", "if may_move else AT_ONCE for", "if False else AT_ONCE for"),
    _mutant("combined-dropped", "publication", "if how[each.name].combined is not None]", "if False]"),
    _mutant(
        "last-first",
        "publication",
        "first.append([(each, None) for each in some if not how[each.name].is_last])",
        "first.append([(each, None) for each in some])",
    ),
    _mutant(
        "indexes-before-sitemaps", "publication", "for some in (others, indexes):", "for some in (indexes, others):"
    ),
    _mutant(
        "older-state-published-over-newer",
        "publication",
        "            if look.number > self._number or is_another:",
        "            if False:",
    ),
    _mutant(
        "the-remembered-etag-is-the-condition",
        "publication",
        "compress_if_gzip(name, target), found.etag, metadata)",
        "compress_if_gzip(name, target), file.etag or found.etag, metadata)",
    ),
    _mutant("delete-at-once", "bucket_run", "if each.since and each.since < before}", "if True}"),
    _mutant(
        "deletion-not-announced", "bucket_run", "deleted_from=now if each.name in due else 0.0", "deleted_from=0.0"
    ),
    _mutant(
        "announcement-ignored",
        "bucket_decision",
        "    if wanted := sorted(deleted & after.by_name.keys()):",
        "    if wanted := []:",
    ),
    _mutant(
        "delete-without-if-match",
        "publication",
        "self.store.delete_if_match(name, present.etag)",
        "self.store.remove(name)",
    ),
    _mutant("pending-forgotten", "bucket_decision", "changed | before.pending |", "changed |"),
    _mutant(
        "own-events-are-followed",
        "bucket_run",
        "    if not pages and ROBOTS not in outputs and run.are_right(outputs, etags):",
        "    if not pages:",
    ),
    _mutant(
        "uncertain-state-write-is-done",
        "state_file",
        "if present and bucket_state.load_head(present.content, self.where) == mine:",
        "if present:",
    ),
    _mutant(
        "uncertain-state-write-is-a-conflict",
        "state_file",
        "if present and bucket_state.load_head(present.content, self.where) == mine:",
        "if False:",
    ),
    _mutant("since-set-while-pending", "wanted_files", "each if each.since or pending else", "each if each.since else"),
    _mutant(
        "finished-before-written",
        "publication",
        "        if body is None:\n            self.finished[name] = etag",
        "        self.finished[name] = etag",
    ),
    _mutant("wrong-files-not-looked-at", "bucket_run", "wrong_files(self._bucket, decided.head, names) |", "{} |"),
    _mutant(
        "told-files-are-only-written-ones",
        "bucket_run",
        "publisher.finished.items() if etag",
        "{n: 1 for n in publisher.written}.items() if etag",
    ),
    _mutant(
        "told-before-published",
        "bucket_run",
        "if not waiting or stored.head.pending or self._lists_nothing:",
        "if not waiting or self._lists_nothing:",
    ),
    _mutant(
        "rebuild-looks-at-none",
        "bucket_run",
        "names, now = decided.head.by_name if looked.is_rebuild else suspects,",
        "names, now = suspects,",
    ),
    _mutant(
        "state-not-read-anew-after-listing",
        "bucket_run",
        "            seen, failed = self._objects.look(keys, stored)\n            is_whole",
        "            seen, failed = dict(self._objects._read), {}\n            is_whole",
    ),
    _of_partitions(
        "a-parent-lets-its-pages-go-first",
        "divided_bucket",
        "for child in bucket.unbuilt(own.part, division)[:1]:",
        "for child in bucket.unbuilt(own.part, division)[:0]:",
    ),
    _of_partitions(
        "moved-pages-are-removals",
        "bucket_decision",
        "if each.listed and not bucket.part.holds(each.key)}",
        "if not each}",
    ),
    _of_partitions("moved-pages-are-drift", "bucket_decision", "is None and bucket.part.holds(each.key))", "is None)"),
    _of_partitions(
        "dates-are-not-taken-over", "divided_bucket", "adopted = adopted or _taken_over(bucket, own, division)", "pass"
    ),
    _of_partitions(
        "files-of-others-give-dates",
        "adoption",
        " or name_of_output(name, names.stem):",
        ":",
    ),
    _of_partitions(
        "new-borders-keep-the-state",
        "bucket_site",
        "part = () if self.part == WHOLE else",
        "part = () if self.part else",
    ),
    _of_partitions("robots-txt-names-one-part", "wanted_files", ", *head.other_roots]", "]"),
    _of_partitions(
        "a-late-partition-is-complete", "divided_bucket", "if not head or head.built_at < since]", "if not head]"
    ),
    _of_partitions(
        "an-unreadable-partition-is-built-again",
        "divided_bucket",
        "if head and not head.built_at]",
        "if not (head and head.built_at)]",
    ),
    _of_partitions(
        "another-run-s-borders-are-replaced",
        "divided_bucket",
        "!= division:\n            raise",
        "!= division and not store:\n            raise",
    ),
    _of_partitions(
        "events-of-robots-txt-go-to-one-part",
        "divided_bucket",
        "if key == ROBOTS else",
        'if key == "robots" else',
    ),
    _of_partitions(
        "events-of-outputs-go-by-their-key",
        "divided_bucket",
        "return name if is_output else",
        "return name if not name else",
    ),
]
