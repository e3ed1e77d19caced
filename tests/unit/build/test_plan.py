from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pytest
from builds import BASE, T, page
from msgspec.structs import replace
from sites import Build
from unit.sample_sites import RecordingStore, numbered, pages, site, small_site

from waypost.build import plan as planner
from waypost.build.lister import Listing
from waypost.core import reasons
from waypost.core.diff import compare
from waypost.core.gzip import compress
from waypost.core.model import Changes, DateCount, DatedBy, Page, PageDating, Plan, Skipped
from waypost.report.report_problems import plan_findings, sitemap_findings
from waypost.settings.output_names import MARK
from waypost.settings.schema import Site
from waypost.sitemaps.documents import documents
from waypost.sitemaps.render import Renderer

if TYPE_CHECKING:
    from sites import MakeSite, Write

RENDERER = Renderer()
HAND_MADE = (
    b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/x</loc></url></urlset>'
)
OURS = HAND_MADE + b"\n" + MARK.encode() + b"\n"

DATE = "2020-02-03"
ROBOTS = b"User-agent: *\nDisallow: /x/\n"
LINE = b"Sitemap: https://example.org/sitemap.xml\n"


def plan(listed: Sequence[Page], the_site: Site, cache: RecordingStore, published: bytes | None = None) -> Plan:
    made = documents(listed, the_site, RENDERER, lambda shard, document: None)
    if the_site.robots_sitemaps:
        made.append(planner.robots_document(made, the_site, RENDERER, cache, published))
    return planner.make_plan(Listing(list(listed), [], [], {}, {}, {}), made, the_site, cache, None)


def published(listed: Sequence[Page], the_site: Site, cache: RecordingStore | None = None) -> RecordingStore:
    cache = cache or RecordingStore()
    planner.apply(plan(listed, the_site, cache), cache)
    cache.done.clear()
    return cache


def loc(key: str) -> str:
    return f"https://example.org/{key}"


def test_a_first_run_writes_everything() -> None:
    found = plan(pages(["a.html", "b.html"]), site(), RecordingStore())
    assert list(found.written) == ["sitemap.xml"]
    assert found.changes == Changes(added=(loc("a.html"), loc("b.html")))
    assert found.is_stale


@pytest.mark.parametrize("the_site", [site(), site(gzip=True), small_site(formats=["xml", "text"], gzip=True)])
def test_a_second_run_over_the_same_pages_changes_nothing(the_site: Site) -> None:
    cache = published(pages(numbered(30)), the_site)
    again = plan(pages(numbered(30)), the_site, cache)
    assert not again.is_stale
    assert sorted(again.unchanged) == sorted(cache.files)
    assert again.changes == Changes()
    planner.apply(again, cache)
    assert cache.done == []


def test_a_compressed_file_whose_content_is_right_is_left_alone_whatever_compressed_it() -> None:
    the_site = site(gzip=True)
    cache = published(pages(["a.html"]), the_site)
    body = gzip.decompress(cache.files["sitemap.xml.gz"])
    cache.files["sitemap.xml.gz"] = gzip.compress(body, 9, mtime=1)
    assert not plan(pages(["a.html"]), the_site, cache).is_stale


@pytest.mark.parametrize("content", [b"", b"\x1f\x8b damaged", compress(b"other"), OURS])
def test_a_compressed_file_that_is_damaged_or_wrong_is_written_again(content: bytes) -> None:
    cache = RecordingStore({"sitemap.xml.gz": content})
    assert list(plan(pages(["a.html"]), site(gzip=True), cache).written) == ["sitemap.xml.gz"]


def test_one_new_page_among_many_rewrites_its_sitemap_alone() -> None:
    keys = numbered(200)
    cache = published(pages(keys), small_site())
    before = dict(cache.files)
    found = plan(pages([*keys, "page-00100a.html"]), small_site(), cache)
    planner.apply(found, cache)
    assert found.changes == Changes(added=(loc("page-00100a.html"),))
    changed = {name for name in before.keys() | cache.files.keys() if before.get(name) != cache.files.get(name)}
    assert set(found.written) | set(found.removed) == changed
    assert len(changed) <= 5
    assert len(before) > 20


def test_pages_that_only_move_between_sitemaps_are_no_change() -> None:
    cache = published(pages(numbered(10)), small_site())
    found = plan(pages(numbered(11)), small_site(), cache)
    assert found.changes == Changes(added=(loc("page-00010.html"),))
    planner.apply(found, cache)
    back = plan(pages(numbered(10)), small_site(), cache)
    assert back.changes == Changes(removed=(loc("page-00010.html"),))
    assert len(back.removed) == len(cache.files) - 1


def test_added_removed_and_redated_pages_are_told_apart() -> None:
    before = [Page(key, loc(key), lastmod="2025-01-01") for key in ("a.html", "b.html", "c.html", "d.html")]
    after = [
        Page("a.html", loc("a.html"), lastmod="2025-01-01"),
        Page("b.html", loc("b.html"), lastmod="2026-03-01"),
        Page("c.html", loc("c.html")),
        Page("e.html", loc("e.html"), lastmod="2026-03-01"),
    ]
    cache = published(before, site())
    assert plan(after, site(), cache).changes == Changes(
        added=(loc("e.html"),), removed=(loc("d.html"),), lastmod_changed=(loc("b.html"), loc("c.html"))
    )


def test_a_redated_page_is_told_though_a_text_sitemap_changes_with_it() -> None:
    the_site = site(formats=["xml", "text"])
    cache = published([Page("a.html", loc("a.html"), lastmod="2025-01-01")], the_site)
    after = [Page("a.html", loc("a.html"), lastmod="2026-03-01"), Page("b.html", loc("b.html"))]
    assert plan(after, the_site, cache).changes == Changes(added=(loc("b.html"),), lastmod_changed=(loc("a.html"),))


def test_a_changed_priority_is_told_as_another_description() -> None:
    cache = published([Page("a.html", loc("a.html"), priority="0.5")], site())
    found = plan([Page("a.html", loc("a.html"), priority="0.8")], site(), cache)
    assert list(found.written) == ["sitemap.xml"]
    assert found.changes == Changes(metadata_changed=(loc("a.html"),))


@pytest.mark.parametrize(
    ("name", "content", "is_removed"),
    [
        ("sitemap-0123456789abcdef.xml", OURS, True),
        ("sitemap-index-0123456789abcdef.xml", OURS, True),
        ("sitemap-formergroup.xml", OURS, True),
        ("sitemap-formergroup-0123456789abcdef.xml", OURS, True),
        ("sitemap.xml.gz", compress(OURS), True),
        ("sitemap-0123456789abcdef.txt", b"https://example.org/x\n", True),
        ("sitemap-0123456789abcdef.xml", HAND_MADE, False),
        ("sitemap-news.xml", HAND_MADE, False),
        ("sitemap-news.xml", b"", False),
        ("sitemap.xml.gz", compress(HAND_MADE), False),
        ("sitemap-images.txt", b"https://example.org/x\n", False),
        ("sitemap.txt", b"https://example.org/x\n", False),
        ("sitemap.xsl", OURS, False),
        ("sitemap.html", OURS, True),
        ("sitemap.html", b"<h1>Sitemap</h1>", False),
        ("sitemap.css", OURS, True),
        ("sitemap.json", OURS, False),
        ("sitemaps.xml", OURS, False),
        ("news-sitemap.xml", OURS, False),
        ("index.html", OURS, False),
        ("robots.txt", b"User-agent: *\n", False),
    ],
)
def test_only_what_waypost_made_and_no_longer_makes_is_removed(name: str, content: bytes, is_removed: bool) -> None:
    found = plan(pages(["a.html"]), site(), RecordingStore({name: content}))
    assert list(found.removed) == ([name] if is_removed else [])


def test_a_text_sitemap_goes_when_the_format_does() -> None:
    cache = published(pages(["a.html"]), site(formats=["xml", "text"]))
    found = plan(pages(["a.html"]), site(), cache)
    assert list(found.removed) == ["sitemap.txt"]
    assert found.changes == Changes()


class CountingStore(RecordingStore):
    """A store that counts how often each file is read."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(files)
        self.reads = Counter[str]()

    def read(self, name: str) -> bytes | None:
        self.reads[name] += 1
        return super().read(name)


def test_an_index_is_read_twice_however_many_files_it_may_name() -> None:
    listed = pages([f"{name}/a.html" for name in "bcdef"])
    listed = [replace(page, group=page.key[0]) for page in listed]
    groups = {name: [f"/{name}/"] for name in "bcdef"}
    cache = CountingStore(published(listed, site(formats=["text"], groups=groups)).files)
    found = plan(listed, site(groups=groups), cache)
    assert found.removed == [f"sitemap-{name}.txt" for name in "bcdef"]
    assert cache.reads["sitemap.xml"] == 2


def test_turning_compression_on_replaces_every_file() -> None:
    cache = published(pages(numbered(30)), small_site())
    before = set(cache.files)
    found = plan(pages(numbered(30)), small_site(gzip=True), cache)
    assert set(found.removed) == before
    assert set(found.written) == {f"{name}.gz" for name in before}
    assert found.changes == Changes()


def test_another_format_alone_is_no_change_of_a_page() -> None:
    cache = published(pages(["a.html", "b.html"]), site())
    found = plan(pages(["a.html", "b.html"]), site(formats=["text"]), cache)
    assert (list(found.written), list(found.removed)) == (["sitemap.txt"], ["sitemap.xml"])
    assert found.changes == Changes()


def test_sitemaps_are_written_before_the_index_that_names_them_and_removed_last() -> None:
    the_site = small_site(robots_sitemaps=True)
    cache = RecordingStore({"sitemap-0123456789abcdef.xml": OURS})
    planner.apply(plan(pages(numbered(30)), the_site, cache), cache)
    verbs = [verb for verb, _ in cache.done]
    done = [name for _, name in cache.done]
    assert verbs == ["write"] * (len(verbs) - 1) + ["remove"]
    assert done[-1] == "sitemap-0123456789abcdef.xml"
    assert set(done[-3:-1]) == {"sitemap.xml", "robots.txt"}


def test_the_state_is_kept_before_what_it_dates_and_only_if_it_changed() -> None:
    cache, states = RecordingStore(), RecordingStore()
    cache.done = states.done
    made = documents(pages(["a.html"]), site(), RENDERER, lambda shard, document: None)
    listing = Listing(pages(["a.html"]), [], [], {}, {}, {})
    planner.apply(planner.make_plan(listing, made, site(), cache, b"state"), cache, (states, "state.jsonl"))
    assert states.files == {"state.jsonl": b"state"}
    planner.apply(planner.make_plan(listing, made, site(), cache, b"state"), cache, (states, "state.jsonl"))
    assert states.done == [("write", "state.jsonl"), ("write", "sitemap.xml")]


@pytest.mark.parametrize(
    ("info", "of_the_site", "expected"),
    [
        (None, None, LINE),
        (ROBOTS, None, ROBOTS + LINE),
        (None, ROBOTS, ROBOTS + LINE),
        (b"# other\n", ROBOTS, ROBOTS + LINE),
        (ROBOTS, b"", LINE),
        (ROBOTS + b"Sitemap: https://example.org/sitemap.xml.gz\n", None, ROBOTS + LINE),
        (
            ROBOTS + b"Sitemap: https://example.org/news.xml\n",
            None,
            ROBOTS + b"Sitemap: https://example.org/news.xml\n" + LINE,
        ),
    ],
)
def test_robots_txt_names_the_sitemap_and_keeps_all_else(
    info: bytes | None, of_the_site: bytes | None, expected: bytes
) -> None:
    cache = RecordingStore({} if info is None else {"robots.txt": info})
    the_site = site(robots_sitemaps=True)
    made = documents(pages(["a.html"]), the_site, RENDERER, lambda shard, document: None)
    document = planner.robots_document(made, the_site, RENDERER, cache, of_the_site)
    assert (document.name, document.kind, document.body) == ("robots.txt", "robots", expected)


def test_robots_txt_names_every_index() -> None:
    the_site = small_site(urls=10, sitemaps=20, robots_sitemaps=True)
    cache = published(pages(numbered(400)), the_site)
    indexes = [name for name in cache.files if name.startswith("sitemap-index-") or name == "sitemap.xml"]
    assert len(indexes) >= 3
    assert cache.files["robots.txt"].count(b"Sitemap: ") == len(indexes)
    fewer = published(pages(["a.html"]), the_site, cache)
    assert fewer.files["robots.txt"] == LINE


def test_a_changed_robots_txt_is_no_change_of_a_page() -> None:
    the_site = site(robots_sitemaps=True)
    found = plan(pages(["a.html"]), the_site, RecordingStore({"robots.txt": ROBOTS}))
    assert "robots.txt" in found.written
    assert found.changes == Changes(added=(loc("a.html"),))


def foreign(*keys: str) -> bytes:
    urls = "".join(f"<url><loc>{loc(key)}</loc></url>" for key in keys)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()


def test_a_plan_counts_the_urls_of_the_present_sitemap_whether_it_changes_or_not() -> None:
    cache = published(pages(["a.html", "b.html"]), site())
    again, changed = (plan(pages(keys), site(), cache) for keys in (["a.html", "b.html"], ["a.html"]))
    assert (again.listed_before, again.changes.removed) == (2, ())
    assert (changed.listed_before, changed.compared_with, changed.changes.removed) == (
        2,
        "sitemap.xml",
        (loc("b.html"),),
    )


def test_the_urls_of_unchanged_shards_count_too() -> None:
    cache = published(pages(numbered(200)), small_site())
    found = plan(pages(numbered(200)[1:]), small_site(), cache)
    assert (found.listed_before, found.changes.removed) == (200, (loc("page-00000.html"),))
    assert found.unchanged


def test_another_tool_s_sitemap_is_replaced_and_compared_with() -> None:
    found = plan(pages(["a.html"]), site(), RecordingStore({"sitemap.xml": foreign("a.html", "b.html")}))
    assert (found.replaced, found.listed_before, found.changes.removed) == (["sitemap.xml"], 2, (loc("b.html"),))


def test_another_tool_s_index_is_compared_with_by_what_it_lists() -> None:
    index = f"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>{loc('sitemap-0.xml')}"
    cache = RecordingStore(
        {
            "sitemap-index.xml": f"{index}</loc></sitemap></sitemapindex>".encode(),
            "sitemap-0.xml": foreign("a.html", "b.html"),
        }
    )
    found = plan(pages(["a.html"]), site(), cache)
    assert (found.replaced, found.changes) == ([], Changes(removed=(loc("b.html"),)))
    planner.apply(found, cache)
    assert plan(pages(["a.html"]), site(), cache).listed_before == 1


def test_given_sitemaps_are_compared_with_instead_of_those_in_the_store() -> None:
    cache = published(pages(["a.html"]), site())
    made = documents(pages(["a.html"]), site(), RENDERER, lambda shard, document: None)
    listing = Listing(pages(["a.html"]), [], [], {}, {}, {})
    compared = {"https://example.org/sitemap.xml": foreign("a.html", "b.html")}
    found = planner.make_plan(listing, made, site(), cache, None, compared)
    assert (found.written, found.listed_before, found.changes) == ([], 2, Changes(removed=(loc("b.html"),)))
    assert found.compared_with == "https://example.org/sitemap.xml"


@pytest.mark.parametrize("the_site", [small_site(), small_site(formats=["xml", "text"], gzip=True)])
def test_the_lists_before_and_after_a_plan_are_complete_and_differ_by_its_changes(the_site: Site) -> None:
    keys = numbered(30)
    cache = published(pages(keys), the_site)
    found = plan(pages([*keys[2:], "new.html"]), the_site, cache)
    assert found.unchanged
    before, after = planner.listings(found, the_site, cache, None)
    assert before.keys() == set(map(loc, keys))
    assert after.keys() == set(map(loc, [*keys[2:], "new.html"]))
    assert compare(before, after) == found.changes


def test_the_list_before_a_plan_may_be_that_of_other_sitemaps() -> None:
    cache = published(pages(["a.html"]), site())
    found = plan(pages(["a.html"]), site(), cache)
    before, _ = planner.listings(found, site(), cache, {"sitemap.xml": HAND_MADE})
    assert before.keys() == {loc("x")}


def test_where_another_tool_made_the_sitemap_it_is_the_list_before() -> None:
    cache = RecordingStore({"sitemap_index.xml": HAND_MADE})
    found = plan(pages(["a.html"]), site(), cache)
    before, after = planner.listings(found, site(), cache, None)
    assert (set(before), set(after)) == ({loc("x")}, {loc("a.html")})


@pytest.mark.parametrize(
    ("files", "removed"),
    [
        ({"sitemap.xml": HAND_MADE, "sitemap.xml.gz": compress(HAND_MADE)}, ["sitemap.xml.gz"]),
        ({"sitemap.xml": HAND_MADE, "sitemap.xml.gz": compress(HAND_MADE + b"\n")}, []),
        ({"sitemap.xml": OURS, "sitemap.xml.gz": compress(HAND_MADE)}, []),
        ({"sitemap.xml.gz": compress(HAND_MADE)}, []),
    ],
    ids=["the same content", "other content", "beside our own sitemap", "alone"],
)
def test_the_compressed_copy_of_a_generator_s_sitemap_that_is_replaced_is_removed(
    files: dict[str, bytes], removed: list[str]
) -> None:
    assert list(plan(pages(["a.html"]), site(), RecordingStore(files)).removed) == removed


def test_a_compressed_copy_that_a_server_answers_with_stays_while_it_is_right() -> None:
    cache = published(pages(["a.html"]), site())
    body = cache.files["sitemap.xml"]
    cache.files["sitemap.xml.gz"] = gzip.compress(body, mtime=1)
    assert plan(pages(["a.html"]), site(), cache).removed == []
    assert plan(pages(["a.html", "b.html"]), site(), cache).removed == ["sitemap.xml.gz"]


def test_a_compressed_copy_of_a_robots_txt_that_changes_is_removed() -> None:
    robots = b"User-agent: *\nDisallow:\n"
    cache = RecordingStore({"robots.txt": robots, "robots.txt.gz": compress(robots)})
    found = plan(pages(["a.html"]), site(robots_sitemaps=True), cache, robots)
    assert (found.removed, "robots.txt" in found.written) == (["robots.txt.gz"], True)


def dated_listing(dated: Mapping[str, DatedBy | None], undated: Mapping[str, str]) -> Listing:
    """A listing of pages that something dated, and of others that have no date for a reason."""
    found = [*pages(dated, lastmod=DATE), *pages(undated)]
    datings = {key: PageDating(by) for key, by in dated.items()}
    reasons = {key: why for key, why in undated.items() if why}
    return Listing(found, [], [], {}, {}, reasons, datings=datings)


def test_dates_are_counted_by_what_gave_them_and_then_pages_without_a_date_by_the_reason() -> None:
    found = dated_listing(
        {"a": "path", "b": "text", "c": "text", "d": "text"},
        {"e": "list-page", "f": "no-evidence", "g": "no-evidence"},
    )
    assert planner.date_counts(found) == [
        DateCount(3, dated_by="text"),
        DateCount(1, dated_by="path"),
        DateCount(2, no_date_reason="no-evidence"),
        DateCount(1, no_date_reason="list-page"),
    ]


def test_equal_counts_come_in_the_order_of_their_codes_whatever_that_of_the_pages() -> None:
    one = dated_listing({"a": "text", "b": "copy"}, {"c": "shallow", "d": "ambiguous"})
    other = dated_listing({"a": "copy", "b": "text"}, {"c": "ambiguous", "d": "shallow"})
    assert planner.date_counts(one) == planner.date_counts(other)
    assert [each.dated_by or each.no_date_reason for each in planner.date_counts(one)] == [
        "copy",
        "text",
        "ambiguous",
        "shallow",
    ]


def test_a_page_without_a_date_is_counted_by_the_reason_if_it_is_known_and_not_by_its_evidence() -> None:
    found = Listing(pages(["a"]), [], [], {}, {}, {"a": "uncommitted"}, datings={"a": PageDating("text", ("a.md",))})
    assert planner.date_counts(found) == [DateCount(1, no_date_reason="uncommitted")]
    assert planner.date_counts(dated_listing({"x": None}, {"a": "", "b": ""})) == [DateCount(1), DateCount(2)]
    assert planner.date_counts(dated_listing({}, {})) == []


def test_nothing_is_found_in_what_waypost_renders(write: Write, make_site: MakeSite) -> None:
    source = write({f"{folder}/{n}.html": page(f"{folder} {n}") for folder in "ab" for n in range(9)})
    settings: dict[str, Any] = {"groups": {"a": ["/a/"]}}
    plan = Build().plan(source, **settings)
    assert {document.kind for document in plan.documents} == {"sitemap", "index"}
    assert plan_findings(plan, make_site(**settings), T) == []


def test_sitemaps_are_compared_with_the_site() -> None:
    skipped = [Skipped("private.html", reasons.NOINDEX, "noindex")]
    body = foreign("a.html", "private.html", "gone.html")
    found = sitemap_findings({"sitemap.xml": body}, pages(["a.html", "new.html"]), skipped, site(), T)
    assert {(each.code, each.loc.removeprefix(BASE), each.file) for each in found} == {
        ("listed-noindex", "private.html", "sitemap.xml"),
        ("listed-missing", "gone.html", "sitemap.xml"),
        ("unlisted", "new.html", ""),
    }


def test_all_of_many_findings_are_kept() -> None:
    body = foreign(*(f"{n}.html" for n in range(500)))
    assert len(sitemap_findings({"sitemap.xml": body}, pages(["0.html"]), [], site(), T)) == 499


def test_pages_are_not_called_unlisted_if_a_sitemap_could_not_be_read() -> None:
    found = sitemap_findings({"sitemap.xml": foreign("a.html")[:-9]}, pages(["a.html", "b.html"]), [], site(), T)
    assert "unlisted" not in {each.code for each in found}
    assert found


def test_sitemaps_that_robots_txt_names_may_lie_in_a_folder_of_their_own() -> None:
    bodies = {"en/sitemap.xml": foreign("a.html")}
    robots_txt = f"Sitemap: {BASE}en/sitemap.xml".encode()
    assert [each.code for each in sitemap_findings(bodies, pages(["a.html"]), [], site(), T)] == ["loc-above"]
    assert sitemap_findings(bodies, pages(["a.html"]), [], site(), T, robots_txt) == []


def test_a_page_that_is_listed_in_another_spelling_is_not_called_unlisted() -> None:
    found = sitemap_findings({"sitemap.xml": foreign("\u540d.html")}, pages(["\u540d.html"]), [], site(), T)
    assert [each.code for each in found] == ["loc-not-ascii"]
