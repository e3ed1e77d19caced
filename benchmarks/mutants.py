"""Whether the tests notice small mistakes in the rules, the URLs, the dates and the shards.

Each mutant is a checkout with one line changed. It is killed if the tests of its part fail. Prints each mutant, and
exits with 1 if one survives: `python benchmarks/mutants.py`, or with the beginnings of names to try only some.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
_RULES, _CORE, _SITEMAPS = ("tests/unit/rules",), ("tests/unit/core",), ("tests/unit/sitemaps",)
_HISTORY = ("tests/unit/git", "tests/unit/rules", "tests/integration/test_git_dates.py")
_KEPT = ("tests/unit/git", "tests/integration/test_kept_histories.py")
_EVIDENCE, _BUILD = ("tests/unit/evidence",), ("tests/unit/build",)
_LISTS = ("tests/unit/sync/test_named_urls.py", "tests/unit/sync/test_url_list_source.py")
_BUCKET = ("tests/unit/ledger", "tests/unit/sync/test_output_repairs.py", "tests/unit/sync/test_inspect.py")
_PROCESSES = 2
_TESTS_FAILED = 1
"""The exit code of pytest if a test failed; others mean that the tests did not run."""


class Mutant(NamedTuple):
    """One change of one module, and the tests that should notice it; `old` is there exactly once."""

    name: str
    module: str
    old: str
    new: str
    tests: Sequence[str]


MUTANTS = [
    Mutant(
        "rule-hidden-files-are-listed", "rules/key_rules.py", 'name.startswith(".")', 'name.startswith("..")', _RULES
    ),
    Mutant("rule-404-only-in-the-root", "rules/key_rules.py", "(?:.*/)?(?:404|", "(?:404|", _RULES),
    Mutant(
        "rule-endings-with-their-case",
        "rules/key_rules.py",
        "key.lower().endswith(endings)",
        "key.endswith(endings)",
        _RULES,
    ),
    Mutant(
        "rule-include-lists-what-it-does-not-match",
        "rules/key_rules.py",
        "None if site.include.decision(key) else",
        "None if site.include.decision(key) is not False else",
        _RULES,
    ),
    Mutant(
        "rule-a-folder-above-is-forgotten",
        "rules/selection.py",
        "known[parent_folder(each)] or self.folder_exclusion_reason(each)",
        "self.folder_exclusion_reason(each)",
        _RULES,
    ),
    Mutant(
        "rule-the-first-override-wins",
        "rules/selection.py",
        "override.priority or priority",
        "priority or override.priority",
        _RULES,
    ),
    Mutant("rule-headers-are-ignored", "rules/content_rules.py", "    robots_header,\n", "", _RULES),
    Mutant("rule-none-is-not-noindex", "rules/indexing.py", '("noindex", "none")', '("noindex",)', _RULES),
    Mutant(
        "rule-a-page-that-reloads-itself-is-a-redirect",
        "rules/html_head.py",
        "None if target in (None, loc)",
        "None if target is None",
        _RULES,
    ),
    Mutant(
        "rule-one-of-several-canonical-links-counts",
        "rules/html_head.py",
        "found.pop() if len(found) == 1",
        "min(map(str, found)) if found",
        _RULES,
    ),
    Mutant(
        "rule-a-page-dates-itself-in-the-future",
        "rules/decision.py",
        "if not dates.may_be_change(facts.own_date, now):",
        "if not now:",
        _RULES,
    ),
    Mutant(
        "rule-robots-txt-without-its-bound",
        "rules/robots.py",
        "text if len(text) <= MOST_BYTES",
        "text if text",
        _RULES,
    ),
    Mutant(
        "rule-sitemap-lines-of-others-are-removed",
        "rules/robots.py",
        'if is_wanted or url is None or not is_ours(url.decode("utf-8", "replace")):',
        "if is_wanted or url is None:",
        _RULES,
    ),
    Mutant(
        "rule-a-version-need-not-name-the-page-back",
        "rules/hreflang.py",
        '"" if loc in self._pages_named_by(page) else "alternate-unreturned"',
        '""',
        _RULES,
    ),
    Mutant("rule-index-files-have-no-order", "rules/page_url.py", "return rank, key", "return 0, key", _RULES),
    Mutant("url-of-2048-characters", "rules/page_url.py", "len(url) < LOC_LIMIT", "len(url) <= LOC_LIMIT", _RULES),
    Mutant(
        "url-with-encoded-dot-segments",
        "core/urls.py",
        "_remove_dot_segments(_normalize_path(parts.path)) or '/'",
        "_normalize_path(_remove_dot_segments(parts.path)) or '/'",
        _CORE,
    ),
    Mutant(
        "url-with-its-default-port", "core/urls.py", "port in (None, _DEFAULT_PORTS[scheme])", "port is None", _CORE
    ),
    Mutant("url-query-in-small-letters", "core/urls.py", "escape[0].upper()", "escape[0]", _CORE),
    Mutant("url-plus-is-encoded", "core/urls.py", "()*+,;=~", "()*,;=~", _CORE),
    Mutant(
        "url-of-another-file",
        "rules/url_shapes.py",
        "if stem == path or _without_html(stem) != stem:",
        "if stem == path:",
        _RULES,
    ),
    Mutant(
        "url-of-a-folder-without-slash",
        "rules/url_shapes.py",
        'if site.trailing_slash == "never" else "slash"',
        'if site.trailing_slash != "always" else "slash"',
        _RULES,
    ),
    Mutant(
        "url-canonical-with-other-capitals",
        "rules/canonical_link.py",
        "decoded.casefold() in {path.casefold() for path in own}",
        "decoded in own",
        _RULES,
    ),
    Mutant(
        "url-a-plus-is-an-escaped-plus",
        "core/urls.py",
        "else found[0].upper()",
        "else chr(int(found[0][1:], 16))",
        _CORE,
    ),
    Mutant("rule-a-date-that-has-passed-counts-for-nothing", "rules/indexing.py", "< now[:", "> now[:", _RULES),
    Mutant(
        "rule-a-delay-ends-a-group-of-robots-txt",
        "rules/robots.py",
        "elif _DELAY_LINE.match(line) and has_names:",
        "elif _DELAY_LINE.match(line) and has_names and not (yield line):",
        _RULES,
    ),
    Mutant(
        "url-answered-by-the-first-name",
        "rules/page_url.py",
        "(key != path, is_bare == _is_index(key, site), key)",
        "(key != path, key)",
        _RULES,
    ),
    Mutant(
        "date-of-the-oldest-file",
        "rules/commit_dates.py",
        "format_unix_time(max(times)) if may_be_commit",
        "format_unix_time(min(times)) if may_be_commit",
        _RULES,
    ),
    Mutant(
        "date-of-a-commit-in-the-future",
        "rules/commit_dates.py",
        "if may_be_commit(max(times), now) else",
        "if times else",
        _RULES,
    ),
    Mutant(
        "date-of-a-sitemap-in-the-future",
        "rules/commit_dates.py",
        "if time is None or not may_be_commit(time, self._now):",
        "if time is None:",
        _RULES,
    ),
    Mutant(
        "date-of-today-is-in-the-future-in-the-east",
        "core/dates.py",
        "_EASTERNMOST_OFFSET if is_whole_day",
        "0 if is_whole_day",
        _CORE,
    ),
    Mutant(
        "date-in-the-wrong-zone",
        "core/dates.py",
        'timezone(-offset if str(text).startswith("-") else offset)',
        "timezone(offset)",
        _CORE,
    ),
    Mutant(
        "date-at-the-end-of-a-shallow-clone",
        "git/history.py",
        "if commit.id in self._shallow:",
        "if not commit.id:",
        _HISTORY,
    ),
    Mutant(
        "date-of-the-first-removal",
        "git/history.py",
        "= max(commit.time, self.removal_times",
        "= min(commit.time, self.removal_times",
        _HISTORY,
    ),
    Mutant(
        "date-of-a-change-of-mode",
        "git/history.py",
        "is_path, is_same, raw, old_blob = True, blob in before, line, before[-1]",
        "is_path, is_same, raw, old_blob = True, False, line, before[-1]",
        _HISTORY,
    ),
    Mutant(
        "date-of-an-ignored-commit",
        "git/history.py",
        "if commit.id in self._ignored and len(commit.parents) == 1:",
        "if False:",
        _HISTORY,
    ),
    Mutant(
        "date-before-the-web",
        "core/dates.py",
        "return web_begin() <= seconds <= now",
        "return seconds <= now",
        _RULES,
    ),
    Mutant(
        "date-of-a-formatted-source",
        "evidence/source_changes.py",
        "_content(path, after) == _content(path, before)",
        "after == before",
        _EVIDENCE,
    ),
    Mutant(
        "date-of-a-notice-on-many-pages",
        "evidence/page_sources.py",
        "if count > _MOST_INCLUDING",
        "if False",
        _EVIDENCE,
    ),
    Mutant(
        "rule-the-oldest-version-is-the-newest",
        "build/version_choice.py",
        "return name != first, min(map(version_rank, names))",
        "return name != first, max(map(version_rank, names))",
        _BUILD,
    ),
    Mutant(
        "rule-another-language-is-no-translation",
        "build/language_choice.py",
        "if not is_language(spoken, name) and",
        "if",
        _BUILD,
    ),
    Mutant(
        "date-of-the-first-parent",
        "git/history.py",
        "of_later_parents = paths & differing",
        "of_later_parents = paths & _NO_PATHS",
        _HISTORY,
    ),
    Mutant(
        "date-continued-without-a-removal",
        "git/history.py",
        "return is_removal_known and has_pages and",
        "return has_pages and",
        _KEPT,
    ),
    Mutant(
        "date-continued-with-another-page-s-move",
        "git/page_walk.py",
        "known.moved_from.isdisjoint(taken) and known.blockers",
        "known.blockers",
        _KEPT,
    ),
    Mutant(
        "date-continued-without-a-blocker",
        "git/page_walk.py",
        "known.moved_from.isdisjoint(taken) and known.blockers <= times.keys()",
        "known.moved_from.isdisjoint(taken)",
        _KEPT,
    ),
    Mutant(
        "date-continued-by-other-rules",
        "app/page_history.py",
        "return found.history if found.read_as == read_as else None",
        "return found.history if found.read_as else None",
        _KEPT,
    ),
    Mutant(
        "date-of-a-menu",
        "rules/significant_changes.py",
        "n * 100 > _BOILERPLATE_PERCENT * len(differences)",
        "n * 100 > 99 * len(differences)",
        _RULES,
    ),
    Mutant(
        "date-of-a-commit-of-two-pages",
        "rules/significant_changes.py",
        "if len(changes) >= _BOILERPLATE_PAGES else",
        "if len(changes) >= 2 else",
        _RULES,
    ),
    Mutant(
        "date-by-bytes-of-a-stray-tag",
        "rules/changed_text.py",
        "return old == new and _block_names(before) == _block_names(after)",
        "return old == new",
        _RULES,
    ),
    Mutant(
        "date-by-bytes-in-noscript",
        "rules/changed_text.py",
        "if parts is None or _unsure(parts[0]) != _unsure(parts[1]):",
        "if parts is None:",
        _RULES,
    ),
    Mutant(
        "date-of-a-script",
        "rules/html_head.py",
        '["script", "style", "template", "noscript"]',
        '["style", "template", "noscript"]',
        _RULES,
    ),
    Mutant(
        "date-of-a-file-with-little-of-the-page",
        "evidence/page_sources.py",
        "_HELD, _COVERED, _COVERED_ELSEWHERE = 0.5, 0.2, 0.6",
        "_HELD, _COVERED, _COVERED_ELSEWHERE = 0.5, 0.2, 0.2",
        _EVIDENCE,
    ),
    Mutant("shards-twice-as-large", "sitemaps/sharding.py", "% max(limit // 2, 1)", "% max(limit, 1)", _SITEMAPS),
    Mutant(
        "shards-split-at-the-highest-hash",
        "sitemaps/sharding.py",
        "hashes.get(n, -1) < hashes[open_points[-1]]",
        "hashes.get(n, 1 << 64) > hashes[open_points[-1]]",
        _SITEMAPS,
    ),
    Mutant(
        "shards-before-the-limit",
        "sitemaps/documents.py",
        "if len(pages) <= site.file_limits.urls else",
        "if len(pages) < site.file_limits.urls else",
        _SITEMAPS,
    ),
    Mutant(
        "shards-over-the-limit-of-bytes",
        "sitemaps/documents.py",
        "        if len(rendered.body) <= size:",
        "        if len(rendered.body) <= 2 * size:",
        _SITEMAPS,
    ),
    Mutant(
        "shards-in-one-index",
        "sitemaps/documents.py",
        "[whole] if len(entries) <= site.file_limits.sitemaps else",
        "[whole] if entries else",
        _SITEMAPS,
    ),
    Mutant(
        "list-only-the-same-url-is-a-file-s",
        "rules/page_url.py",
        "by_loc.get(locs[key]) or answering_file(locs[key], files, site)",
        "by_loc.get(locs[key])",
        _LISTS,
    ),
    Mutant(
        "list-an-event-removes-urls",
        "ledger/record_changes.py",
        "if record and (refresh_etags or not record.facts.entry):",
        "if record:",
        _LISTS,
    ),
    Mutant(
        "list-a-lost-list-keeps-its-name",
        "sync/named_urls.py",
        'before.url_list if ledger.url_list(before) is not None else ""',
        "before.url_list",
        _LISTS,
    ),
    Mutant(
        "list-a-source-that-fails-names-nothing",
        "sync/named_urls.py",
        "elif each.name in known:",
        "elif not known:",
        _LISTS,
    ),
    Mutant(
        "list-the-earlier-rebuild-goes-on",
        "sync/bucket_context.py",
        "if manifest.url_list != self._url_list:\n            raise",
        "if not manifest:\n            raise",
        _LISTS,
    ),
    Mutant(
        "list-a-build-goes-on-with-another-list",
        "sync/named_urls.py",
        "after.builder.position and name != before.url_list",
        "after.builder.position and not name",
        _LISTS,
    ),
    Mutant(
        "list-a-url-without-an-object-is-a-lost-event",
        "sync/drift.py",
        "if item.modified and item.key in unreported",
        "if item.key in unreported",
        _LISTS,
    ),
    Mutant(
        "list-children-wait-for-another-page",
        "sync/named_urls.py",
        "if not (after.is_complete and after.entries):",
        "if after.entries:",
        _LISTS,
    ),
    Mutant(
        "list-a-source-may-lose-all-its-urls",
        "sync/named_urls.py",
        "if each.name in names else []",
        "if not names else []",
        _LISTS,
    ),
    Mutant(
        "bucket-the-metadata-of-an-edited-file-is-believed",
        "sync/published_files.py",
        'if digest and known_etag not in ("", info.etag):',
        "if not digest:",
        _BUCKET,
    ),
    Mutant(
        "bucket-a-store-without-conditions-is-taken",
        "ledger/store.py",
        "is_ignored = True",
        "is_ignored = False",
        _BUCKET,
    ),
    Mutant(
        "bucket-pages-that-moved-count-as-removed",
        "ledger/removed_pages.py",
        "len(changes.removed) - len(changes.added)",
        "len(changes.removed)",
        _BUCKET,
    ),
    Mutant(
        "bucket-an-unreadable-object-is-never-forgotten",
        "ledger/unreadable.py",
        "if each.key not in seen",
        "if each.key",
        _BUCKET,
    ),
    Mutant(
        "bucket-a-rebuild-does-not-look-again",
        "sync/reconciliation.py",
        "for each in manifest.unreadable if chunk.holds(each.key)",
        "for each in manifest.unreadable if not each.key",
        _BUCKET,
    ),
    Mutant(
        "bucket-what-follows-an-invalidation-is-forgotten",
        "announce/cloudfront.py",
        "                return False\n",
        "                return True\n",
        ("tests/unit/announce",),
    ),
    Mutant(
        "bucket-an-unknown-coding-is-an-empty-page",
        "sources/s3.py",
        'data, is_whole, coding = b"", False, error.coding',
        'data, is_whole, coding = b"", True, ""',
        ("tests/unit/sources/test_s3.py",),
    ),
    Mutant(
        "bucket-only-the-first-part-is-decoded",
        "core/content_codings.py",
        "if not data.startswith(_GZIP_MAGIC):",
        "if data is not None:",
        _CORE,
    ),
]


def run(checkout: Path, tests: Sequence[str]) -> int:
    """Run tests of a checkout in one process until one fails; returns pytest's exit code."""
    python = str(CHECKOUT / ".venv" / "bin" / "python")
    command = [python, "-m", "pytest", "-x", "-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, check=False).returncode


def verdict(mutant: Mutant, checkout: Path) -> str:
    """What becomes of a mutant in this checkout, which is then as before."""
    path = checkout / "src" / "waypost" / mutant.module
    text = path.read_text("utf-8")
    if text.count(mutant.old) != 1:
        return "NOT APPLIED: its old text is not there once"
    path.write_text(text.replace(mutant.old, mutant.new), "utf-8")
    try:
        code = run(checkout, mutant.tests)
    finally:
        path.write_text(text, "utf-8")
    return "killed" if code == _TESTS_FAILED else "SURVIVED" if code == 0 else f"NOT TESTED: pytest exited with {code}"


def main(names: Sequence[str]) -> int:
    """Try the mutants whose names begin with one of these, or all."""
    chosen = [each for each in MUTANTS if each.name.startswith(tuple(names) or "")]
    with TemporaryDirectory() as folder:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(_PROCESSES):
            copy = Path(folder) / str(number)
            ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache")
            shutil.copytree(CHECKOUT, copy, symlinks=True, ignore=ignored)
            free.put(copy)

        def judge(mutant: Mutant) -> str:
            checkout = free.get()
            try:
                return verdict(mutant, checkout)
            finally:
                free.put(checkout)

        with ThreadPoolExecutor(_PROCESSES) as pool:
            verdicts = list(pool.map(judge, chosen))
    for mutant, found in zip(chosen, verdicts, strict=True):
        print(f"{mutant.name:50} {found}")
    return 0 if all(found == "killed" for found in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
