"""The answer of a run over a bucket with a state."""

from __future__ import annotations

from fake_buckets import StatefulBucket
from msgspec.structs import replace

from waypost.build.bucket_site import BucketResult
from waypost.build.run_answer import NO_PAGE, ChangeTotals, RunAnswer, run_answer
from waypost.core.model import Example, SiteWarning


def made(*keys: str) -> StatefulBucket:
    bucket = StatefulBucket(urls=4)
    for key in keys:
        bucket.put(key, f"text of {key}")
    return bucket


def answer(bucket: StatefulBucket, result: BucketResult) -> RunAnswer:
    return run_answer(bucket.site(), result)


def test_an_answer_has_what_the_run_did_and_what_the_sitemaps_list_after_it() -> None:
    bucket = made("a.html", "b.html", "style.css")
    built = answer(bucket, bucket.rebuild())
    assert (built.finished, built.url_count, built.sitemap_count, built.warnings) == (True, 2, 1, [])
    assert (built.objects_listed, built.objects_read) == (3, 2)
    assert (built.written, built.ignored) == (("sitemap.xml",), {"not-a-page": 1})
    assert built.root_sitemaps == ["https://example.org/sitemap.xml"]


def test_changes_are_counted_by_their_kind() -> None:
    bucket = made("a.html", "b.html")
    bucket.rebuild()
    bucket.put("a.html", "other text")
    bucket.put("c.html", "text")
    bucket.delete("b.html")
    found = answer(bucket, bucket.update("a.html", "b.html", "c.html"))
    assert found.changes == ChangeTotals(added=1, removed=1, lastmod_changed=1)
    assert (found.url_count, found.objects_listed) == (2, 0)


def test_a_run_that_ran_out_of_time_is_not_finished() -> None:
    bucket = StatefulBucket()
    stopped = answer(bucket, BucketResult(is_unfinished=True))
    assert (stopped.finished, stopped.warnings) == (False, [])


def test_a_bucket_without_a_page_is_a_warning_after_those_of_the_run() -> None:
    bucket = made("style.css")
    warning = SiteWarning("code", "a message", 1, (Example("style.css"),))
    first, last = answer(bucket, replace(bucket.rebuild(), warnings=(warning,))).warnings
    assert first.startswith("code: a message")
    assert last == NO_PAGE


def test_keys_are_in_visible_characters() -> None:
    bucket = made("a.html")
    bucket.rebuild()
    found = answer(bucket, BucketResult(failed={"a\n.html": "no bytes"}, not_found=("b\udcff.html",)))
    assert (found.failed, found.not_found) == ({"a\\n.html": "no bytes"}, ("b\\xff.html",))
    assert found.url_count == 1
