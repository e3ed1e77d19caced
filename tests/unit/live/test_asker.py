"""One URL: HEAD and GET, redirects, robots.txt, and what need not be sent again."""

from __future__ import annotations

import pytest
from fake_stores import VirtualClock
from msgspec.structs import replace
from unit.live.fake_site import SITE, FakeSite, Given, reply

from waypost.live.answer import Answer, Hop, NotAskedError
from waypost.live.asker import Asker, page_answer
from waypost.live.robots_rules import made_up_url
from waypost.live.transport import Reply

A, B, C = f"{SITE}/a", f"{SITE}/b", f"{SITE}/c"
IN_HEADER, NOINDEX = "the header X-Robots-Tag", "<meta name=robots content=noindex>"

PAGE = "<title>A page</title><p>With text."
NOW = "2026-11-26T00:00:00Z"


def asker(site: FakeSite, *, reads_pages: bool = False) -> Asker:
    return Asker(site, VirtualClock(), 10, reads_pages=reads_pages)


GONE = ConnectionResetError(104, "reset")
HTML_PAGE = Answer(status=200, content_type="text/html")
NO_URL = "it is not an http or https URL with a host"
PRIVATE = "http://10.0.0.1/"
TOO_LONG = "/" + "x" * 60_000


def rules(text: str) -> dict[str, Given]:
    return {f"{SITE}/robots.txt": reply(body=f"User-agent: *\n{text}")}


@pytest.mark.parametrize(
    ("answers", "answer", "asked"),
    [
        ({A: reply()}, HTML_PAGE, "HEAD"),
        ({f"HEAD {A}": GONE, f"GET {A}": reply()}, HTML_PAGE, "HEAD GET"),
        ({A: TimeoutError(110, "slow")}, Answer(why="slow"), "HEAD GET"),
        (
            {A: reply(301, Location="/b"), B: reply(302, Location=C), C: reply()},
            replace(HTML_PAGE, hops=(Hop(301, B), Hop(302, C))),
            "HEAD HEAD HEAD",
        ),
        ({A: reply(301, Location=A)}, Answer(hops=(Hop(301, A),), is_loop=True), "HEAD"),
        (
            {A: reply(301, Location=B), B: reply(301, Location=A)},
            Answer(hops=(Hop(301, B), Hop(301, A)), is_loop=True),
            "HEAD HEAD",
        ),
        *(
            ({A: reply(301, Location=target)}, Answer(hops=(Hop(301, target),), why=NO_URL), "HEAD")
            for target in ("ftp://example.org/", "http://[", "mailto:a@example.org")
        ),
        (
            {A: reply(301, Location=PRIVATE), f"{PRIVATE}robots.txt": PermissionError(13, "not public")},
            Answer(hops=(Hop(301, PRIVATE),), why="not public"),
            "HEAD",
        ),
        (
            {A: reply(301, Location="/b"), **rules("Disallow: /b")},
            Answer(hops=(Hop(301, B),), unasked="robots.txt"),
            "HEAD",
        ),
        ({A: reply(301)}, Answer(hops=(Hop(301, "nowhere"),), why="it has no header Location"), "HEAD"),
        (
            {A: reply(301, Location=TOO_LONG)},
            Answer(hops=(Hop(301, (SITE + TOO_LONG)[:8_192]),), why="its URL has 60,024 characters"),
            "HEAD",
        ),
    ],
)
def test_a_url_is_asked_and_its_redirects_are_followed(answers: dict[str, Given], answer: Answer, asked: str) -> None:
    site = FakeSite(answers)
    assert asker(site).ask(A) == answer
    assert " ".join(line.split()[0] for line in site.lines) == asked


def test_what_robots_txt_disallows_is_not_asked() -> None:
    site = FakeSite({A: reply(), **rules("Disallow: /a")})
    answer = Answer(disallowed_for="Google", kept_out=("Google", "Bing"))
    assert (asker(site).ask(A), site.lines) == (answer, [])


def test_what_is_no_url_is_not_asked() -> None:
    site = FakeSite()
    assert (asker(site).ask("/a"), site.asked) == (Answer(why=NO_URL), [])


def test_pages_are_read_with_get_alone() -> None:
    site = FakeSite({A: reply(body="<meta name=robots content=noindex>")})
    found = asker(site, reads_pages=True).ask(A)
    assert (found.noindex, found.is_read, site.lines) == (("the page", "noindex"), True, [f"GET {A}"])


NOT_FOUND = "<title>Shop</title><h1>Oh no</h1><p>There is no {}. 12:31"
"""A page for what does not exist, which names it and has the time."""


@pytest.mark.parametrize(
    ("body", "likeness"),
    [
        (NOT_FOUND.format("/a"), "page"),
        (NOT_FOUND.format("/a").replace("12:31", "12:32"), "page"),
        (NOT_FOUND.format("/a").replace("Shop", "Cups"), ""),
        (NOT_FOUND.format("/a") + "<p>But tea.", ""),
        (" ", "empty"),
    ],
)
def test_a_page_that_says_the_same_as_that_of_a_made_up_url_is_like_a_missing_one(body: str, likeness: str) -> None:
    made_up = made_up_url(SITE)
    site = FakeSite({A: reply(body=body), made_up: reply(body=NOT_FOUND.format(made_up.removeprefix(SITE)))})
    assert asker(site, reads_pages=True).ask(A).like_missing == likeness
    assert asker(site).ask(A).like_missing == "status"


@pytest.mark.parametrize("answer", [reply(404), reply(301, Location=SITE), reply(200, "{}", Content_Type="text/json")])
def test_a_host_that_has_no_page_for_a_made_up_url_can_be_believed(answer: Reply) -> None:
    site = FakeSite({A: reply(body=PAGE), B: reply(body=PAGE), made_up_url(SITE): answer})
    asked = asker(site, reads_pages=True)
    assert [asked.ask(url).like_missing for url in (A, B)] == ["", ""]
    assert [each.url for each in site.asked].count(made_up_url(SITE)) == 1


def test_a_page_that_says_the_same_as_a_true_404_is_like_a_missing_one() -> None:
    missing = reply(404, body=NOT_FOUND.format(made_up_url(SITE).removeprefix(SITE)))
    site = FakeSite({A: reply(body=NOT_FOUND.format("/a")), B: reply(body=PAGE), made_up_url(SITE): missing})
    assert [asker(site, reads_pages=True).ask(url).like_missing for url in (A, B)] == ["page", ""]


def test_a_redirect_to_where_a_made_up_url_is_sent_too_is_like_a_missing_page() -> None:
    home, elsewhere = reply(302, Location="/"), reply(301, Location=B)
    site = FakeSite({A: home, f"{SITE}/c": elsewhere, f"{SITE}/": reply(), B: reply(), made_up_url(SITE): home})
    assert [asker(site).ask(url).like_missing for url in (A, f"{SITE}/c")] == ["redirect", ""]


def test_a_sitemap_is_disallowed_for_google_although_waypost_may_ask_it() -> None:
    site = FakeSite({f"{SITE}/robots.txt": reply(body="User-agent: Googlebot\nDisallow: /*.xml$")})
    assert asker(site).is_disallowed(f"{SITE}/sitemap.xml")
    assert not asker(site).is_disallowed(f"{SITE}/a")


def test_the_home_page_and_files_that_are_no_pages_are_not_compared_with_a_made_up_url() -> None:
    site = FakeSite(
        {f"{SITE}/": reply(body=PAGE), A: reply(Content_Type="image/png"), made_up_url(SITE): reply(body=PAGE)}
    )
    assert [asker(site).ask(url).like_missing for url in (f"{SITE}/", A)] == ["", ""]
    assert asker(site, reads_pages=True).ask(f"{SITE}/").like_missing == ""


def test_a_made_up_url_that_must_not_be_asked_shows_nothing() -> None:
    rules = reply(body=f"User-agent: *\nDisallow: {made_up_url(SITE).removeprefix(SITE)}")
    site = FakeSite({A: reply(), made_up_url(SITE): reply(), f"{SITE}/robots.txt": rules})
    assert asker(site).ask(A).like_missing == ""
    assert made_up_url(SITE) not in [each.url for each in site.asked]


@pytest.mark.parametrize("status", [403, 405, 501])
def test_a_host_that_refuses_head_is_asked_with_get_from_then_on(status: int) -> None:
    site = FakeSite({f"HEAD {A}": reply(status), f"GET {A}": reply(), B: reply()})
    asked = asker(site)
    assert [(asked.ask(url).status, asked.ask(url).head_status) for url in (A, B)] == [(200, 0), (200, 0)]
    assert site.lines[:3] == [f"HEAD {A}", f"GET {A}", f"GET {A}"]
    assert set(site.lines[3:]) == {f"GET {B}"}


@pytest.mark.parametrize("status", [400, 404, 500])
def test_an_error_for_head_is_believed_only_if_get_has_it_too(status: int) -> None:
    site = FakeSite({f"HEAD {A}": reply(status), f"GET {A}": reply(), B: reply(status)})
    asked = asker(site)
    assert [(asked.ask(url).status, asked.ask(url).head_status) for url in (A, B)] == [(200, status), (status, 0)]


def test_redirects_without_end_end() -> None:
    site = FakeSite({f"{SITE}/{n}": reply(301, Location=f"/{n + 1}") for n in range(100)})
    found = asker(site).ask(f"{SITE}/0")
    assert (found.is_loop, len(found.hops)) == (True, 11)


def test_what_search_engines_may_read_does_not_follow_from_what_this_program_may() -> None:
    rules = "User-agent: *\nAllow: /\n\nUser-agent: Googlebot\nDisallow: /a\n\nUser-agent: bingbot\nDisallow: /"
    site = FakeSite({A: reply(), B: reply(), f"{SITE}/robots.txt": reply(body=rules)})
    found = asker(site)
    assert (found.ask(A).status, found.ask(A).kept_out, found.ask(B).kept_out) == (200, ("Google", "Bing"), ("Bing",))


def test_a_private_address_is_not_asked() -> None:
    site = FakeSite({f"{SITE}/robots.txt": PermissionError(13, "not public")})
    with pytest.raises(NotAskedError, match="--allow-private"):
        asker(site).ask(A)
    assert site.lines == []


def test_a_page_that_has_not_changed_keeps_its_answer() -> None:
    earlier = Answer(
        status=200, etag='"1"', last_modified="Thu, 01 Jan 1970 00:20:00 GMT", noindex=("the page", "none")
    )
    site = FakeSite({A: lambda request: reply(304 if request.headers else 200)})
    assert asker(site).ask(A, earlier) == earlier
    assert site.asked[-1].headers == {"If-None-Match": '"1"', "If-Modified-Since": "Thu, 01 Jan 1970 00:20:00 GMT"}


def test_a_page_that_has_not_changed_may_have_another_header() -> None:
    site = FakeSite({A: reply(304, X_Robots_Tag="noindex")})
    found = asker(site).ask(A, Answer(status=200, etag='"1"'))
    assert found == Answer(status=200, etag='"1"', noindex=("the header X-Robots-Tag", "noindex"))


@pytest.mark.parametrize(
    "earlier",
    [
        Answer(status=404, etag='"1"', is_read=True),
        Answer(status=200, etag='"1"', hops=(Hop(301, B),), is_read=True),
        Answer(status=200, etag='"1"', is_read=False),
        Answer(status=200, etag='"1"', is_read=True, damage="cut"),
        Answer(status=200, etag='"1"', is_read=True, noindex=("the header X-Robots-Tag", "noindex")),
        Answer(status=200, etag='"1"', is_read=True, canonical=("the header Link", B)),
    ],
)
def test_an_earlier_answer_that_says_too_little_is_not_confirmed(earlier: Answer) -> None:
    site = FakeSite({A: reply()})
    asker(site, reads_pages=True).ask(A, earlier)
    assert site.asked[-1].headers == {}


def test_hosts_beyond_a_thousand_replace_those_that_were_asked_longest_ago() -> None:
    site = FakeSite()
    asked = asker(site)
    for n in (*range(1_001), 1_000, 0):
        asked.ask(f"https://{n}.example/")
    robots = [each.url for each in site.asked if each.url.endswith("/robots.txt")]
    assert (len(robots), robots[-1]) == (1_002, "https://0.example/robots.txt")


URL = f"{SITE}/en/about/"


@pytest.mark.parametrize(
    ("given", "noindex"),
    [
        *((reply(X_Robots_Tag=header), (IN_HEADER, "noindex")) for header in ("noindex", "googlebot: noindex")),
        (reply(X_Robots_Tag="nofollow, none"), (IN_HEADER, "none")),
        *((reply(X_Robots_Tag=header), None) for header in ("otherbot: noindex", "max-snippet: 20")),
        (reply(X_Robots_Tag="unavailable_after: 2026-11-25"), (IN_HEADER, "unavailable_after 2026-11-25")),
        (reply(X_Robots_Tag="unavailable_after: 2026-11-26"), None),
        (reply(body=NOINDEX), ("the page", "noindex")),
        (reply(body=NOINDEX + "<b>" * 30_000), ("the page", "noindex")),
        (reply(body="<b>" * 30_000 + NOINDEX), None),
    ],
)
def test_a_header_for_every_crawler_or_for_google_and_the_beginning_of_a_page_say_noindex(
    given: Reply, noindex: tuple[str, str] | None
) -> None:
    assert page_answer(URL, given, NOW).noindex == noindex


@pytest.mark.parametrize(
    ("header", "target"),
    [
        ('<https://www.example.org/a>; rel="canonical"', f"{SITE}/a"),
        ("</style.css>; rel=preload; as=style, <../b/>; rel=canonical", f"{SITE}/en/b/"),
        ('</c>; title="x"; rel="alternate canonical"', f"{SITE}/c"),
        ('</d>; rel="canonicalize"', None),
        ("<http://[>; rel=canonical", None),
        ("rel=canonical", None),
    ],
)
def test_the_canonical_url_may_be_in_a_header_or_in_the_page(header: str, target: str | None) -> None:
    found = page_answer(URL, reply(Link=header, body="<link rel=canonical href='../x'>"), NOW).canonical
    assert found == (("the header Link", target) if target else ("the page", f"{SITE}/en/x"))
    assert page_answer(URL, reply(Link=header), NOW).canonical == (("the header Link", target) if target else None)


def test_headers_that_cannot_be_sent_back_are_not_kept() -> None:
    found = page_answer(URL, reply(ETag='"ä"', Last_Modified="x" * 3_000), NOW)
    assert (found.etag, found.last_modified, found.modified) == ("", "", None)


def test_a_refresh_in_a_header_or_in_the_page_is_an_answer_of_its_own() -> None:
    assert page_answer(URL, reply(Refresh="0; url=/ok"), NOW).refresh == ("the header Refresh", f"{SITE}/ok")
    page = "<meta http-equiv=refresh content='0; url=/ok'>"
    assert page_answer(URL, reply(body=page), NOW).refresh == ("the page", f"{SITE}/ok")
    assert page_answer(URL, reply(Refresh="30"), NOW).refresh is None
