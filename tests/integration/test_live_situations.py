"""What servers answer, rightly and wrongly, and what `check-live --read-pages` says of it."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Mapping, Sequence

import pytest
from servers import Answer, Server, answer, serving

from waypost.core.clock import SYSTEM_CLOCK
from waypost.core.private_hosts import EVERY_HOST
from waypost.files.guarded_http import Timeouts
from waypost.live.answer import NotAskedError
from waypost.live.asker import Asker
from waypost.live.judgement import problems
from waypost.live.transport import HttpSender

TIMEOUTS = Timeouts(idle=30, total=60)
HTML = "Content-Type: text/html; charset=utf-8"
TEXT = "<p>Its own text."
BODY = f"<!doctype html><title>A page</title>{TEXT}"


def raw(*lines: str, body: str | bytes = "", end: str = "\r\n") -> bytes:
    """An answer with exactly these lines."""
    return end.join([*lines, "", ""]).encode("latin-1") + (body.encode() if isinstance(body, str) else body)


def page(head: str = "", status: int = 200, **headers: str) -> bytes:
    """A page with this head."""
    return answer(BODY.replace(TEXT, head + TEXT), status, **{"Content_Type": "text/html", **headers})


def chunked(*chunks: str, last: str = "0\r\n\r\n") -> bytes:
    body = "".join(f"{len(each):x}\r\n{each}\r\n" for each in chunks) + last
    return raw("HTTP/1.1 200 OK", HTML, "Transfer-Encoding: chunked", body=body)


def redirect(to: str, status: int = 301) -> bytes:
    return answer(status=status, Location=to)


def packed(data: bytes) -> bytes:
    return raw("HTTP/1.1 200 OK", HTML, "Content-Encoding: gzip", f"Content-Length: {len(data)}", body=data)


def robots(*lines: str) -> bytes:
    return answer("\n".join(lines), Content_Type="text/plain")


ZIPPED = gzip.compress(f"<title>A page</title><meta name=robots content=noindex>{TEXT}".encode())
OK_PAGES: Mapping[str, Answer] = {
    "plain": page(),
    "no-reason-phrase": raw("HTTP/1.1 200", HTML, f"Content-Length: {len(BODY)}", body=BODY),
    "line-feeds-alone": raw("HTTP/1.1 200 OK", HTML, f"Content-Length: {len(BODY)}", body=BODY, end="\n"),
    "early-hints": raw("HTTP/1.1 103 Early Hints", "Link: </a.css>; rel=preload") + page(),
    "latin-1-header": raw("HTTP/1.1 200 OK", HTML, "X-Name: caf\xe9", f"Content-Length: {len(BODY)}", body=BODY),
    "no-length": raw("HTTP/1.1 200 OK", HTML, body=BODY),
    "chunked": chunked(BODY[:9], BODY[9:]),
    "gzip": packed(gzip.compress(BODY.encode())),
    "document": answer(b"%PDF", Content_Type="application/pdf"),
    "image": answer(b"\x89PNG", Content_Type="image/png"),
    "xhtml": answer(BODY, Content_Type="application/xhtml+xml"),
    "self-canonical": page('<link rel="canonical" href="/self-canonical">'),
    "relative-canonical": page('<link rel="canonical" href="relative-canonical">'),
    "canonical-in-a-comment": page('<!--<link rel="canonical" href="/b">-->'),
    "index-follow": page('<meta name="robots" content="index, follow">'),
    "noindex-for-another": page('<meta name="otherbot" content="noindex">'),
    "header-for-another": page(X_Robots_Tag="otherbot: noindex"),
    "header-that-allows": page(X_Robots_Tag="all"),
    "available-for-long": page('<meta name="robots" content="unavailable_after: 2999-01-01">'),
    "refresh-to-itself": page('<meta http-equiv="refresh" content="300">'),
    "modified-long-after": page(Last_Modified="Thu, 01 Jan 2026 00:00:00 GMT"),
    "date-that-is-none": page(Last_Modified="yesterday"),
}
FAULTS: Mapping[str, tuple[Answer, Sequence[str]]] = {
    "204": (raw("HTTP/1.1 204 No Content"), ["live-odd-status"]),
    "304-without-a-condition": (raw("HTTP/1.1 304 Not Modified"), ["live-odd-status"]),
    "403": (page(status=403), ["live-refused"]),
    "404": (page(status=404), ["live-missing"]),
    "500": (page(status=500), ["live-server-error"]),
    "999": (raw("HTTP/1.1 999 Request denied", "Content-Length: 0"), ["live-refused"]),
    "nothing-but-hints": (raw("HTTP/1.1 103 Early Hints"), ["live-unreachable"]),
    "no-http": (b"NOPE\r\n\r\n", ["live-unreachable"]),
    "closed": (b"", ["live-unreachable"]),
    "endless-headers": (raw("HTTP/1.1 200 OK", *(f"X-{n}: y" for n in range(2_000))), ["live-unreachable"]),
    "too-short": (raw("HTTP/1.1 200 OK", HTML, "Content-Length: 999", body=BODY), ["live-incomplete"]),
    "chunk-that-is-cut": (chunked(BODY, last="ff\r\nabc"), ["live-incomplete"]),
    "damaged-gzip": (packed(b"not gzip"), ["live-incomplete"]),
    "brotli-that-nobody-asked-for": (page(Content_Encoding="br"), ["live-incomplete"]),
    "zlib-as-gzip": (packed(zlib.compress(BODY.encode())), ["live-incomplete"]),
    "301": (redirect("/plain"), ["live-redirect"]),
    "308": (redirect("/plain", 308), ["live-redirect"]),
    "relative-redirect": (redirect("plain"), ["live-redirect"]),
    "redirect-with-spaces": (redirect("/pla in"), ["live-redirect-broken"]),
    "redirect-to-404": (redirect("/404"), ["live-redirect-broken"]),
    "redirect-to-nothing": (redirect("/closed"), ["live-redirect-broken"]),
    "redirect-to-a-mail": (redirect("mailto:a@example.org"), ["live-redirect-broken"]),
    "redirect-without-a-target": (raw("HTTP/1.1 301 Moved", "Content-Length: 0"), ["live-redirect-broken"]),
    "redirect-to-itself": (redirect("/redirect-to-itself"), ["live-redirect-loop"]),
    "redirect-in-a-circle": (redirect("/redirect-in-a-circle-2"), ["live-redirect-loop"]),
    "redirect-in-a-circle-2": (redirect("/redirect-in-a-circle"), ["live-redirect-loop"]),
    "redirect-to-a-closed-port": (redirect("http://127.0.0.1:1/"), ["live-redirect-broken"]),
    "noindex": (page('<meta name="robots" content="noindex">'), ["live-noindex"]),
    "noindex-for-google": (page('<meta name="googlebot" content="noindex">'), ["live-noindex"]),
    "noindex-in-gzip": (packed(ZIPPED), ["live-noindex"]),
    "header-noindex": (page(X_Robots_Tag="noindex"), ["live-noindex"]),
    "header-for-google": (page(X_Robots_Tag="googlebot: noindex, nofollow"), ["live-noindex"]),
    "header-of-a-document": (answer(b"%PDF", Content_Type="application/pdf", X_Robots_Tag="none"), ["live-noindex"]),
    "available-no-more": (page('<meta name="robots" content="unavailable_after: 2010-06-25">'), ["live-noindex"]),
    "header-available-no-more": (page(X_Robots_Tag="unavailable_after: 25 Jun 2010 15:00:00 GMT"), ["live-noindex"]),
    "canonical": (page('<link rel="canonical" href="/plain">'), ["live-not-canonical"]),
    "canonical-of-another-host": (page('<link rel=canonical href="https://b.example/">'), ["live-not-canonical"]),
    "canonical-header": (page(Link='<https://b.example/>; rel="canonical"'), ["live-not-canonical"]),
    "refresh": (page('<meta http-equiv="refresh" content="0; url=/plain">'), ["live-refresh"]),
    "refresh-header": (page(Refresh="0; url=/plain"), ["live-refresh"]),
    "download.html": (answer(BODY, Content_Type="application/octet-stream"), ["live-content-type"]),
    "text.html": (answer(BODY, Content_Type="text/plain"), ["live-content-type"]),
    "no-type.html": (raw("HTTP/1.1 200 OK", "Content-Length: 0"), ["live-content-type"]),
    "older": (page(Last_Modified="Wed, 01 Jan 2020 00:00:00 GMT"), ["live-lastmod"]),
}
SITE: Mapping[str, Answer] = {
    **{f"/{name}": given for name, given in OK_PAGES.items()},
    **{f"/{name}": given for name, (given, _) in FAULTS.items()},
}
LASTMOD = "2025-06-01"


def asker(*, reads_pages: bool = True) -> Asker:
    sender = HttpSender(EVERY_HOST, timeouts=TIMEOUTS)
    return Asker(sender, SYSTEM_CLOCK, 10_000, reads_pages=reads_pages)


def codes(server: Server, name: str, *, reads_pages: bool = True) -> list[str]:
    """The codes of what is wrong with one URL."""
    loc = f"{server.url}/{name}"
    return [code for code, _ in problems(loc, LASTMOD, asker(reads_pages=reads_pages).ask(loc))]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(SITE) as running:
        yield running


@pytest.mark.parametrize("name", OK_PAGES)
def test_a_page_that_visitors_and_crawlers_can_read_is_fine(server: Server, name: str) -> None:
    assert codes(server, name) == []


@pytest.mark.parametrize("name", FAULTS)
def test_what_search_engines_cannot_use_is_found(server: Server, name: str) -> None:
    assert codes(server, name) == FAULTS[name][1]


def test_a_page_that_is_the_same_everywhere_is_a_soft_404() -> None:
    class Everything(dict[str, Answer]):
        def get(self, path: str, default: Answer | None = None) -> Answer:  # type: ignore[override]
            del default
            if path == "/robots.txt":
                return answer(status=404)
            return answer(f"<title>Shop</title>No page here: {path}", Content_Type="text/html")

    with serving({}) as running:
        running.answers = Everything()
        assert codes(running, "soft-404") == ["live-soft-404"]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"HEAD /a": page(status=405), "/a": page()}, []),
        ({"HEAD /a": page(status=404), "/a": page()}, ["live-head-differs"]),
        ({"HEAD /a": page(status=404), "/a": page(status=404)}, ["live-missing"]),
        ({"HEAD /a": b"", "/a": page()}, []),
        ({"HEAD /a": page(), "/a": page(status=500)}, []),
        ({"HEAD /a": page(X_Robots_Tag="noindex")}, ["live-noindex"]),
    ],
)
def test_an_answer_to_head_is_believed_unless_get_knows_better(
    answers: Mapping[str, Answer], expected: Sequence[str]
) -> None:
    with serving(answers) as running:
        assert codes(running, "a", reads_pages=False) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (answer(status=404), []),
        (robots(""), []),
        (robots("\ufeffUser-agent: *", "Disallow: /a"), ["live-disallowed"]),
        (robots("User-agent: *", "Disallow: /a", "Allow: /a"), []),
        (robots("User-agent: Googlebot", "Disallow: /a"), ["live-disallowed"]),
        (robots("User-agent: otherbot", "Disallow: /a"), []),
        (robots("User-agent: *", "Disallow: /a", "User-agent: waypost", "Allow: /"), ["live-disallowed"]),
        (robots("<!doctype html><title>Not found</title>"), []),
    ],
)
def test_robots_txt_is_judged_as_search_engines_read_it(rules: Answer, expected: Sequence[str]) -> None:
    with serving({"/robots.txt": rules, "/a": page()}) as running:
        assert codes(running, "a") == expected


@pytest.mark.parametrize("rules", [answer(status=500), b"", packed(b"no gzip")])
def test_nothing_is_asked_of_a_host_whose_rules_cannot_be_read(rules: Answer) -> None:
    with serving({"/robots.txt": rules, "/a": page()}) as running:
        with pytest.raises(NotAskedError, match=r"robots\.txt cannot be read"):
            asker().ask(f"{running.url}/a")
        assert "/a" not in running.asked
