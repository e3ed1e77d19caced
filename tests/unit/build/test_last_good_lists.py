from dataclasses import replace

import pytest
from bucket_races import listed, undated
from fake_buckets import BASE, StatefulBucket
from unit.sample_sites import site

from waypost.core.errors import RemovalError, SourceError
from waypost.core.model import IndexChild, NamedSource, UrlEntry

SHOP = f"{BASE}shop.xml"


def urls(*paths: str) -> NamedSource:
    return NamedSource("urls", [UrlEntry(BASE + path, lastmod="2026-03-01", where="urls.txt") for path in paths])


def made(*sources: NamedSource) -> StatefulBucket:
    bucket = StatefulBucket()
    bucket.put("a.html", "<p>a")
    bucket.named = list(sources)
    bucket.rebuild()
    return bucket


def warnings(bucket: StatefulBucket) -> list[str]:
    return [warning.code for warning in bucket.rebuild().warnings]


def test_urls_without_an_object_are_listed_until_a_rebuild_finds_them_no_longer_named() -> None:
    bucket = made(urls("x", "y"))
    assert listed(bucket) == {BASE + "a.html", BASE + "x", BASE + "y"}
    bucket.named = [urls("y", "z")]
    bucket.change("b.html", "<p>b")
    assert BASE + "x" in listed(bucket)
    plan = bucket.rebuild().plan
    assert plan is not None
    assert (plan.changes.added, plan.changes.removed) == ((BASE + "z",), (BASE + "x",))
    assert undated(bucket.files()) == undated(bucket.from_nothing())


def test_a_list_that_cannot_be_read_keeps_its_last_answer_with_a_warning() -> None:
    bucket = made(urls("x"))
    bucket.named = [NamedSource("urls", error="it cannot be read")]
    assert "sitemap-kept" in warnings(bucket)
    assert BASE + "x" in listed(bucket)


@pytest.mark.parametrize("is_optional", [True, False])
def test_a_list_that_never_could_be_read_is_an_error_unless_it_is_optional(*, is_optional: bool) -> None:
    bucket = made()
    bucket.named = [NamedSource("shop", error="there is none", is_optional=is_optional)]
    if is_optional:
        assert "sitemap-missing" in warnings(bucket)
    else:
        with pytest.raises(SourceError, match="there is none"):
            bucket.rebuild()


def test_a_list_that_names_far_fewer_urls_than_last_is_refused() -> None:
    bucket = made(urls(*(f"u{n}" for n in range(40))))
    bucket.named = [urls("u1")]
    with pytest.raises(RemovalError, match="39 of the 40 URLs that urls names"):
        bucket.rebuild()
    bucket.rebuild(max_removed=100)
    assert listed(bucket) == {BASE + "a.html", BASE + "u1"}


def test_the_index_lists_another_tools_sitemap() -> None:
    bucket = made()
    bucket.settings = site(BASE, state="state", lastmod="content", sitemaps=[{"from": SHOP, "as": "child"}])
    bucket.named = [NamedSource("shop (child)", child=IndexChild(SHOP, "2026-03-01"))]
    bucket.rebuild()
    assert SHOP.encode() in bucket.files()["sitemap.xml"]


def test_of_a_lost_state_no_list_may_be_missing() -> None:
    bucket = made(urls("x"))
    bucket.state.files.clear()
    bucket.state.write("state", b"cut")
    bucket.named = [NamedSource("urls", error="there is none", is_optional=True)]
    with pytest.raises(SourceError, match="there is none"):
        bucket.rebuild()


def test_a_site_that_has_moved_keeps_no_url_of_its_former_address() -> None:
    bucket = made(urls("x"))
    bucket.settings = replace(bucket.settings, base_url="https://moved.example/")
    bucket.settings_since += 1
    bucket.named = [NamedSource("urls", error="it cannot be read")]
    with pytest.raises(SourceError, match="it cannot be read"):
        bucket.rebuild()
