"""Ledgers with URLs that have no object: lists, and sitemaps of other tools."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from distributed_sites import LIMITS
from fake_stores import SimulatedSite, Writer
from hypothesis import given
from hypothesis import strategies as st
from page_content import undated
from run_harness import Execution, split_at_keys
from unit.published_sites import BASE
from unit.sync.rebuilt_sites import DATED, LargeObjects, after, lose

from waypost.build import pipeline
from waypost.build.lister import DateSources
from waypost.core.errors import RemovalError, SourceError
from waypost.core.model import IndexChild, NamedSource, UrlEntry
from waypost.ledger.adoption import adopt
from waypost.sync import inspect, rebuild
from waypost.sync.drift import DriftCheck
from waypost.sync.result import RunResult
from waypost.validate.sitemap_content import read_entries

SHOP = "https://example.org/shop.xml"


def entries(*paths: str, **values: Any) -> list[UrlEntry]:
    return [UrlEntry(BASE + path, line=n, where="urls.txt", **values) for n, path in enumerate(paths, 1)]


def urls(*paths: str, **values: Any) -> NamedSource:
    return NamedSource("urls", entries(*paths, **values))


def child(date: str) -> NamedSource:
    return NamedSource("shop (child)", child=IndexChild(SHOP, date))


def simulated_site(
    *named: NamedSource, keys: tuple[str, ...] = ("index.html", "m.html"), **values: Any
) -> SimulatedSite:
    """A site whose settings name URLs without an object."""
    site = SimulatedSite(**{"urls": 4, **DATED, "max_removed": 100, **values})
    site.settings = replace(site.settings, urls="urls.txt")
    site.named = list(named)
    for key in keys:
        site.put(key, f"<title>{key}</title>")
    site.clock.sleep(60)
    return site


def built(*named: NamedSource, **values: Any) -> SimulatedSite:
    site = simulated_site(*named, **values)
    rebuild.rebuild(site.updater())
    return site


def rebuilt(site: SimulatedSite, *named: NamedSource, **values: Any) -> RunResult:
    site.named = list(named)
    return rebuild.rebuild(site.updater(), **values)


def published(site: SimulatedSite) -> dict[str, bytes]:
    """The published files that the ledger names."""
    return {name: body for name, body in site.outputs.bodies().items() if name in site.manifest().files}


def listed(site: SimulatedSite) -> dict[str, str | None]:
    """The published URLs, without the base URL, and their dates."""
    found: dict[str, str | None] = {}
    for name, body in published(site).items():
        kind, some = read_entries(name, body)
        found |= {(each.loc or "").removeprefix(BASE): each.lastmod for each in some if kind == "urlset"}
    return found


def codes(result: RunResult) -> list[str]:
    return [warning.code for warning in result.warnings]


def test_a_rebuild_lists_urls_without_an_object_with_the_dates_of_their_list() -> None:
    site = built(urls("shop/", "shop/b?c=1", lastmod="2026-01-02"), urls("zebra"))
    dates = {"shop/": "2026-01-02", "shop/b?c=1": "2026-01-02", "zebra": None}
    assert listed(site) == {"": None, "m.html": None, **dates}
    assert site.is_in_sync()


def test_a_rebuild_takes_what_changed_in_a_list_and_reads_no_object_for_that() -> None:
    site = built(urls("a", "b"))
    site.named = [urls("b", "c", lastmod="2026-02-03")]
    requests = site.counted(lambda: rebuild.rebuild(site.updater()))
    assert listed(site) == {"": None, "m.html": None, "b": "2026-02-03", "c": "2026-02-03"}
    assert {each for each in requests if each.startswith("GET site/")} == {"GET site/robots.txt"}
    unchanged = site.counted(lambda: rebuild.rebuild(site.updater()))
    assert [each for each in unchanged if each.startswith("PUT") and "manifest" not in each] == []


def test_a_site_that_names_no_urls_any_more_lists_none_after_a_rebuild() -> None:
    site = built(urls("a"), child("2026-01-02"))
    site.settings = replace(site.settings, urls=())
    rebuilt(site)
    assert listed(site) == {"": None, "m.html": None}
    assert (site.manifest().url_list, site.manifest().children) == ("", ())
    assert SHOP not in str(site.outputs.bodies())


def test_a_file_comes_before_a_url_that_it_answers_and_leaves_its_place_to_it_again() -> None:
    site = built(urls("m", "new", lastmod="2026-01-02"), drop_html=True)
    assert listed(site) == {"": None, "m": None, "new": "2026-01-02"}
    site.put("new.html", "<title>New</title>")
    rebuild.update(site.updater(), ["new.html"])
    assert listed(site)["new"] not in (None, "2026-01-02")
    site.delete("m.html")
    site.delete("new.html")
    rebuild.update(site.updater(), ["m.html", "new.html"])
    assert listed(site) == {"": None, "m": "2026-01-02", "new": "2026-01-02"}


def test_an_event_asks_no_source_and_removes_no_url_that_has_no_object() -> None:
    site = built(urls("a.html", "b"))
    site.named = [NamedSource("urls", error="an event must not read this")]
    rebuild.update(site.updater(), ["a.html", "b", "m.html"])
    assert listed(site).keys() == {"", "m.html", "a.html", "b"}


def test_an_event_removes_no_url_whose_list_is_lost() -> None:
    site = built(urls("a.html"))
    site.state.remove(site.manifest().url_list)
    rebuild.update(site.updater(), ["a.html"])
    assert listed(site).keys() == {"", "m.html", "a.html"}


def test_lost_records_are_made_again_with_the_urls_of_the_lists() -> None:
    site = built(urls(*(f"{n:02}" for n in range(20))))
    before = listed(site)
    lose(site, 1)
    site.put("m.html", "<title>New</title>")
    rebuild.update(site.updater(), ["m.html"])
    rebuild.rebuild(site.updater())
    assert listed(site).keys() == before.keys()
    assert site.is_in_sync()


def test_a_source_that_cannot_be_read_keeps_what_it_named_last() -> None:
    site = built(urls("a"), NamedSource("blog.xml", entries("blog/a")), child("2026-01-02"))
    failing = [NamedSource(name, error=f"{name} cannot be read") for name in ("blog.xml", "shop (child)")]
    result = rebuilt(site, urls("b"), *failing)
    assert listed(site).keys() == {"", "m.html", "b", "blog/a"}
    assert [each.loc for each in site.manifest().children] == [SHOP]
    (warning,) = result.warnings
    assert (warning.code, warning.count) == ("sitemap-kept", 2)


def test_a_source_that_never_could_be_read_stops_the_build_unless_it_is_optional() -> None:
    site = simulated_site(NamedSource("blog.xml", error="blog.xml cannot be read"))
    with pytest.raises(SourceError, match=r"blog\.xml cannot be read"):
        rebuild.rebuild(site.updater())
    assert site.outputs.bodies() == {}
    result = rebuilt(site, NamedSource("blog.xml", error="blog.xml cannot be read", is_optional=True))
    assert codes(result) == ["sitemap-missing"]
    assert listed(site).keys() == {"", "m.html"}


def test_what_is_left_out_of_a_list_is_counted_by_its_reason() -> None:
    site = simulated_site(
        urls("m.html", "a", "private/b"), NamedSource("blog.xml", entries("a")), exclude=["/private/"]
    )
    site.named.append(NamedSource("far.xml", [UrlEntry("https://example.com/")]))
    result = rebuild.rebuild(site.updater())
    assert result.ignored == {"excluded": 1, "foreign-url": 1, "listed-twice": 1}
    assert inspect.excluded_by_reason(site.manifest()) == {}
    assert listed(site).keys() == {"", "a", "m.html"}


def test_a_list_that_removes_too_many_urls_is_refused_and_published_files_stay() -> None:
    site = built(urls(*(f"{n:02}" for n in range(40))), max_removed=30)
    before = site.outputs.bodies()
    with pytest.raises(RemovalError):
        rebuilt(site, urls("00"))
    rebuild.update(site.updater(), ["m.html"])
    assert site.outputs.bodies() == before


def test_a_source_that_names_few_of_its_urls_is_refused_on_a_site_of_many_pages() -> None:
    pages = tuple(f"{n:03}.html" for n in range(100))
    site = built(urls(*(f"shop/{n}" for n in range(20))), keys=pages, max_removed=30)
    for is_distributed in (False, True):
        site.named = [urls("shop/1")]
        with pytest.raises(RemovalError, match="19 of the 20 URLs that urls names"):
            distributed(site) if is_distributed else rebuild.rebuild(site.updater())
    rebuilt(site, urls("shop/1"), max_removed=100)
    assert len(listed(site)) == 101


def distributed(site: SimulatedSite, lag: float | None = None) -> RunResult:
    """Rebuild by many workers; with a `lag` the result counts lost events."""
    execution = Execution("run", site.updater, site.state, LIMITS, split_at_keys("05.html", "b"))
    execution.input = {"lag": lag} if lag else {}
    result = execution.run().result
    assert result
    return result


def test_a_child_of_the_index_changes_with_its_date_and_nothing_else_is_written() -> None:
    site = built(child("2026-01-02"), keys=tuple(f"{n:02}.html" for n in range(9)))
    index = site.outputs.bodies()["sitemap.xml"]
    assert index.endswith(
        b"<sitemap><loc>https://example.org/shop.xml</loc><lastmod>2026-01-02</lastmod></sitemap>\n</sitemapindex>\n"
    )
    result = rebuilt(site, child("2026-02-03"))
    assert result.written == ("sitemap.xml",)
    assert b"<lastmod>2026-02-03</lastmod></sitemap>\n</sitemapindex>" in site.outputs.bodies()["sitemap.xml"]
    assert site.is_in_sync()


def test_children_of_a_site_of_articles_wait_for_lost_records() -> None:
    news = {"news": {"name": "Times", "language": "en"}}
    article = '<title>News</title><meta property="article:published_time" content="2026-11-20">Text'
    site = simulated_site(child("2026-01-02"), keys=(), **news)
    for n in range(9):
        site.put(f"{n:02}.html", article)
    rebuild.rebuild(site.updater())
    lose(site, 1)
    rebuilt(site, child("2026-02-03"))
    rebuilt(site, child("2026-02-03"))
    assert b"<lastmod>2026-02-03</lastmod></sitemap>\n</sitemapindex>" in site.outputs.bodies()["sitemap.xml"]
    assert site.is_in_sync()


def test_urls_that_come_and_go_are_no_lost_events() -> None:
    site = built(urls("a", "b"))
    site.clock.sleep(7_200)
    result = rebuilt(site, urls("c"), drift_check=DriftCheck(site.now(), lambda keys: True))
    assert result.drift == 0
    assert listed(site).keys() == {"", "c", "m.html"}


def test_explain_says_why_a_url_without_an_object_is_listed_or_not() -> None:
    site = built(urls("a", "m.html", lastmod="2026-01-02"), urls("b"), drop_html=False)
    found = inspect.explain(site.updater(), "a")
    assert (found.listed, found.loc, found.lastmod) == (True, f"{BASE}a", "2026-01-02")
    assert inspect.explain(site.updater(), "b").no_date_reason == "the list that names it gives no date"
    assert inspect.explain(site.updater(), "m.html").lastmod is None


def test_hreflang_links_of_lists_count_as_those_of_pages_do() -> None:
    versions = (("de", f"{BASE}de"), ("en", f"{BASE}en.html"))
    head = "".join(f'<link rel="alternate" hreflang="{code}" href="{url}">' for code, url in versions)
    site = simulated_site(NamedSource("urls", [UrlEntry(f"{BASE}de", alternates=versions)]), alternates=True)
    site.put("en.html", f"<title>En</title>{head}")
    rebuild.rebuild(site.updater())
    (body,) = site.outputs.bodies().values()
    assert body.count(b'hreflang="de"') == body.count(b'hreflang="en"') == 2
    rebuilt(site)
    (body,) = site.outputs.bodies().values()
    assert b"hreflang" not in body


PAGES = tuple(f"{n:02}.html" for n in range(60))


@pytest.mark.parametrize("damage", [None, b"damaged"])
@pytest.mark.parametrize("is_distributed", [False, True])
def test_a_lost_list_is_written_again_with_its_urls(damage: bytes | None, *, is_distributed: bool) -> None:
    site = built(urls("a", "b"))
    name = site.manifest().url_list
    site.state.remove(name) if damage is None else site.state.write(name, damage)
    assert [problem.where for problem in inspect.check(site.updater()).problems] == [f"x/{name}"]
    result = distributed(site) if is_distributed else rebuilt(site, *site.named)
    assert "records-lost" in codes(result)
    assert listed(site).keys() == {"", "a", "b", "m.html"}
    assert site.is_in_sync()
    assert site.manifest().url_list != name


def test_an_optional_source_that_cannot_be_read_stops_a_rebuild_whose_list_is_lost() -> None:
    site = built(urls("a"))
    site.state.remove(site.manifest().url_list)
    with pytest.raises(SourceError, match="down"):
        rebuilt(site, NamedSource("urls", error="down", is_optional=True))
    assert listed(site).keys() == {"", "a", "m.html"}


@pytest.mark.parametrize("change", [{"groups": {}}, {"name": "map"}, {"exclude": ["/0*.html"]}], ids=str)
def test_other_settings_and_another_child_are_taken_together(change: dict[str, Any]) -> None:
    site = built(child("2026-01-02"), keys=PAGES, groups={"blog": ["/0*"]})
    site.settings = replace(simulated_site(**{"groups": {"blog": ["/0*"]}, **change}).settings, urls="urls.txt")
    rebuilt(site, child("2026-02-03"))
    assert site.is_in_sync()
    assert any(b"2026-02-03" in body for body in published(site).values())


def test_a_rebuild_that_is_refused_leaves_nothing_to_publish() -> None:
    site = built(child("2026-01-02"), keys=PAGES, max_removed=10)
    before, settings = site.outputs.bodies(), site.settings
    site.settings = replace(simulated_site(exclude=["/0*.html"], max_removed=10).settings, urls="urls.txt")
    with pytest.raises(RemovalError):
        rebuilt(site, child("2026-02-03"))
    assert (site.manifest().pending, site.outputs.bodies()) == ((), before)
    site.settings = settings
    for key in PAGES[:40]:
        site.delete(key)
    with pytest.raises(RemovalError):
        rebuilt(site, child("2026-02-03"))
    assert (site.manifest().pending, site.outputs.bodies()) == ((), before)


def test_of_two_rebuilds_with_other_lists_the_one_that_read_them_later_decides() -> None:
    site = built(urls("x"))
    site.named = [urls("a")]
    writer = Writer(site.gate, lambda: rebuild.rebuild(site.updater()))
    writer.until("PUT state/manifest.json done")
    writer.step()
    writer.until("LIST site/")
    rebuilt(site, urls("b"))
    writer.finish()
    assert listed(site).keys() == {"", "b", "m.html"}
    assert site.is_in_sync()


def test_a_build_that_goes_on_with_another_list_begins_again() -> None:
    site = simulated_site(urls("a1", "z1"), keys=tuple(f"m{n:02}.html" for n in range(30)))
    site.source = LargeObjects(site.gate, site.source.objects)
    assert rebuild.rebuild(site.updater(), after(6)).resume_after
    assert site.manifest().builder
    rebuilt(site, urls("a2", "z2"))
    assert {path for path in listed(site) if not path.startswith("m")} == {"a2", "z2"}
    assert site.is_in_sync()


def test_a_site_that_moves_to_another_base_url_or_a_url_to_another_list_removes_none() -> None:
    site = built(urls(*(f"{n:02}" for n in range(30))), max_removed=30)
    rebuilt(site, urls("00"), NamedSource("blog.xml", entries(*(f"{n:02}" for n in range(1, 30)))))
    assert len(listed(site)) == 32
    moved = replace(site.settings, base_url="https://www.example.org/")
    site.settings = moved
    rebuilt(
        site, NamedSource("urls", [UrlEntry(f"https://www.example.org/{n:02}") for n in range(30)]), max_removed=100
    )
    assert site.is_in_sync()


def test_urls_that_come_and_go_are_no_lost_events_of_a_distributed_rebuild() -> None:
    site = built(urls("a", "b"), keys=PAGES[:9])
    site.clock.sleep(86_400)
    site.named = [urls("a", "c", lastmod="2026-01-01")]
    assert distributed(site, lag=3_600).drift == 0
    assert "c" in listed(site)


@pytest.mark.parametrize("named", [(), ("a", "b")], ids=["none any more", "others"])
def test_settings_that_change_during_a_distributed_rebuild_bring_their_lists(named: tuple[str, ...]) -> None:
    site = built(urls("x"), keys=PAGES[:9])
    site.clock.sleep(1_000)
    execution = Execution("run", site.updater, site.state, LIMITS, split_at_keys("05.html"))
    execution.run_workers("scan")
    site.clock.sleep(1_000)
    never = simulated_site(exclude=["/never/"]).settings
    site.settings = replace(never, urls="urls.txt" if named else ())
    site.named = [urls(*named)] if named else []
    assert execution.run().next_step == "done"
    assert [path for path in listed(site) if not path.endswith(".html")] == list(named)
    assert site.is_in_sync()


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("c%2B%2B", "c++.html"),
        ("w/Foo%28bar%29", "w/Foo(bar).html"),
        ("a%2Cb.html", "a,b.html"),
        ("caf%C3%A9", "café.html"),
        ("x%40y/", "x@y/index.html"),
    ],
)
@pytest.mark.parametrize("first", ["file", "list"])
def test_a_file_decides_about_a_url_however_that_is_percent_encoded(path: str, key: str, first: str) -> None:
    site = built(*([urls(path)] if first == "list" else []), keys=("z.html", *([key] if first == "file" else [])))
    if first == "list":
        site.put(key, "<title>x</title>")
        rebuild.update(site.updater(), [key])
    rebuilt(site, urls(path))
    assert len(listed(site)) == 2
    assert path not in listed(site)


def test_a_url_comes_back_at_once_if_an_object_with_its_key_is_deleted() -> None:
    site = built(urls("a.html", lastmod="2026-01-02"), keys=("z.html", "a.html"))
    site.delete("a.html")
    rebuild.update(site.updater(), ["a.html"])
    assert listed(site) == {"a.html": "2026-01-02", "z.html": None}


def test_an_event_that_makes_lost_records_again_asks_the_bucket_for_no_listed_url() -> None:
    site = built(urls(*(f"{n:02}" for n in range(30)), "d.txt"), keys=("index.html", "d.txt", "m.html"))
    for entry in site.manifest().entries:
        site.state.remove(entry.records_file)
    site.put("m.html", "<title>new</title>")
    requests = site.counted(lambda: rebuild.update(site.updater(), ["m.html"]))
    asked = {each.partition("site/")[2] for each in requests if each.startswith(("GET site/", "HEAD site/"))}
    assert asked <= {"index.html", "m.html", "robots.txt"}
    rebuild.rebuild(site.updater())
    assert listed(site)["d.txt"] is None
    assert site.is_in_sync()


def test_urls_that_end_like_pages_are_not_looked_for_in_a_bucket_that_was_just_listed() -> None:
    site = simulated_site(urls(*(f"p/{n}.html" for n in range(20))))
    requests = site.counted(lambda: rebuild.rebuild(site.updater()))
    assert [each for each in requests if "site/p/" in each] == []


def test_a_ledger_that_adopts_another_one_knows_its_lists() -> None:
    site = built(urls("a"), child("2026-01-02"))
    moved = SimulatedSite(**{"urls": 4, **DATED})
    moved.settings, moved.source, moved.uri = site.settings, site.source, "s3://moved/"
    adopt(moved.updater().ledger, site.state)
    rebuilt(moved, *(NamedSource(each.name, error="down") for each in site.named))
    assert listed(moved).keys() == {"", "a", "m.html"}
    assert [each.loc for each in moved.manifest().children] == [SHOP]


@pytest.mark.parametrize("is_distributed", [False, True])
def test_the_alternates_of_urls_do_not_depend_on_the_order_of_runs(*, is_distributed: bool) -> None:
    versions = (("de", f"{BASE}index.html"), ("en", f"{BASE}a"))
    home = UrlEntry(BASE)
    site = simulated_site(keys=PAGES[:12], alternates=True)
    head = "".join(f'<link rel="alternate" hreflang="{code}" href="{BASE}{path}">' for code, path in LINKS)
    site.put("a.html", f"<title>a</title>{head}")
    rebuilt(site, NamedSource("urls", [UrlEntry(f"{BASE}index.html", "2026-01-01", alternates=versions), home]))
    site.named = [NamedSource("urls", [UrlEntry(f"{BASE}index.html", alternates=versions), home])]
    distributed(site) if is_distributed else rebuild.rebuild(site.updater())
    twin = site.twin()
    rebuild.rebuild(twin.updater())
    assert undated(published(site)) == undated(published(twin))


LINKS = (("de", "a"), ("en", ""))
PATHS = ("a", "a/", "a.html", "a/index.html", "b", "b?c=1", "c%20d", "d.pdf", "e/f", "index.html", "")
OBJECTS = ("a.html", "a/index.html", "a", "b.htm", "b", "c d", "d.pdf", "index.html", "e/f.html")
ACTIONS = st.one_of(
    st.tuples(st.just("list"), st.lists(st.sampled_from(PATHS), max_size=5, unique=True).map(tuple)),
    st.tuples(st.just("date"), st.lists(st.sampled_from(PATHS), max_size=5, unique=True).map(tuple)),
    st.tuples(st.just("put"), st.lists(st.sampled_from(OBJECTS), max_size=3, unique=True).map(tuple)),
    st.tuples(st.just("delete"), st.lists(st.sampled_from(OBJECTS), max_size=3, unique=True).map(tuple)),
    st.tuples(st.sampled_from(("rebuild", "distribute")), st.just(())),
)


@given(st.lists(ACTIONS, max_size=8), st.sampled_from([None, True, False]), st.booleans())
def test_after_any_events_and_lists_a_rebuild_lists_what_a_folder_lists(
    actions: list[tuple[str, tuple[str, ...]]], drop_html: bool | None, is_distributed: bool
) -> None:
    site = simulated_site(keys=("z.html",), drop_html=drop_html)
    rebuild.rebuild(site.updater())
    for number, (action, names) in enumerate(actions):
        take(site, action, names, f"run-{number}")
    take(site, "distribute" if is_distributed else "rebuild", (), "last")
    dates = DateSources("2026-11-22T00:00:00Z")
    named = [entry for source in site.named for entry in source.entries]
    listing = pipeline.list_pages(
        site.source, site.updater().site_of(site.manifest().url_form), dates, lambda *_: None, entries=named
    )
    assert sorted(listed(site)) == sorted(page.loc.removeprefix(BASE) for page in listing.pages)
    twin = site.twin()
    rebuild.rebuild(twin.updater())
    assert undated(published(site)) == undated(published(twin))
    assert site.is_in_sync()


def take(site: SimulatedSite, action: str, names: tuple[str, ...], run: str) -> None:
    """Take one action of a schedule."""
    if action in ("list", "date"):
        site.named = [urls(*names, lastmod="2026-01-02" if action == "date" else None)] if names else []
    elif action == "rebuild":
        rebuild.rebuild(site.updater())
    elif action == "distribute":
        split = split_at_keys("a.html", "b", "e")
        Execution(run, site.updater, site.state, LIMITS, split).run()
    else:
        for name in names:
            site.put(name, f"<title>{name}</title>") if action == "put" else site.delete(name)
        rebuild.update(site.updater(), names)
