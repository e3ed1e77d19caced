"""What `_redirects` and `_headers` say on Netlify and on Cloudflare."""

from __future__ import annotations

import pytest
from recognised_hosts import host, redirect

from waypost.core.errors import SourceError
from waypost.project.redirects_file import is_netlifys


def test_netlify_redirects_an_existing_file_only_where_it_is_forced() -> None:
    text = "/old /new 301!\n/kept /new\n/a/* /b/:splat 302!\n/rewritten /x 200!\n/gone /x 404!\n"
    found = host({"_redirects": text}, {"netlify.toml": ""})
    paths = ("/old", "/old/", "/kept", "/a/x/y", "/rewritten", "/gone", "/other")
    assert [redirect(found, path) for path in paths] == ["/new", "/new", "", "/b/:splat", "", "", ""]


@pytest.mark.parametrize(
    "line",
    [
        "/a /b 301! Country=de",
        "/a q=:q /b 301!",
        "https://other.dev/a /b 301!",
        "# /a /b 301!",
        "/a",
        "/a /a.html 200\n/a /b 301!",
    ],
    ids=["a condition", "a query", "another host", "a comment", "no target", "an earlier rule fits"],
)
def test_a_rule_of_netlify_s_that_does_not_always_hold_leaves_nothing_out(line: str) -> None:
    assert redirect(host({"_redirects": line}, {"netlify.toml": ""}), "/a") == ""


def test_cloudflare_follows_every_redirect_whether_a_file_exists_or_not() -> None:
    text = "/old /new\n/old.html /new 301\n/proxied /x 200\n/forced /x 301!\n/a/* /b 302\n"
    found = host({"_redirects": text}, {"wrangler.toml": 'pages_build_output_dir = "."'}, setting="cloudflare-pages")
    paths = ("/old", "/old/", "/proxied", "/forced", "/a/x", "/a")
    assert [redirect(found, path) for path in paths] == ["/new", "", "", "", "/b", ""]


def test_a_redirects_file_alone_says_only_what_netlify_and_cloudflare_agree_on() -> None:
    found = host({"_redirects": "/a /b 301\n", "_headers": "/private/*\n  X-Robots-Tag: noindex\n"})
    assert redirect(found, "/a") == ""
    assert found.rules.header("/private/x", "x-robots-tag") == "noindex"


HEADERS = """
# A comment
/private/*
  X-Robots-Tag: noindex
  Cache-Control: no-store
/private/shown
  ! X-Robots-Tag
https://a.pages.dev/*
  X-Robots-Tag: noindex
/both
  X-Robots-Tag: noarchive
/bot*
  X-Robots-Tag: all
"""


def test_cloudflare_joins_headers_takes_them_away_and_has_blocks_for_one_host() -> None:
    found = host({"_headers": HEADERS}, setting="cloudflare-pages")
    paths = ("/private/a", "/private/shown", "/", "/both")
    assert [found.rules.header(path, "x-robots-tag") for path in paths] == ["noindex", "", "", "noarchive, all"]
    own = host({"_headers": HEADERS}, setting="cloudflare-pages", base="https://a.pages.dev/")
    assert own.rules.header("/", "x-robots-tag") == "noindex"


def test_of_several_headers_of_one_name_netlify_sends_the_last() -> None:
    found = host({"_headers": "/*\n  X-Robots-Tag: noindex\n/a\n  X-Robots-Tag: all\n"}, setting="netlify")
    assert [found.rules.header(path, "x-robots-tag") for path in ("/a", "/b")] == ["all", "noindex"]


def test_a_rule_that_sends_all_domains_to_the_site_s_own_leaves_nothing_out() -> None:
    text = "/* https://www.a.dev/:splat 301!\n/old /new 301!\n"
    assert redirect(host({"_redirects": text}, setting="netlify"), "/a") == ""
    assert redirect(host({"_redirects": text}, setting="netlify"), "/old") == "/new"
    assert redirect(host({"_redirects": text.replace("!", "")}, setting="cloudflare-pages"), "/a") == ""
    folder = "/docs/* https://www.a.dev/docs/:splat 301!\n"
    assert redirect(host({"_redirects": folder}, setting="netlify"), "/docs/a") == ""
    moved = "/* https://b.dev/:splat 301!\n"
    assert redirect(host({"_redirects": moved}, setting="netlify"), "/a") == "https://b.dev/:splat"


def test_many_lines_with_conditions_are_read_once_each() -> None:
    text = "/a /b x=1\n" * 5_000 + "#" + "c" * 500_000
    assert not is_netlifys(text)


def test_no_rule_is_dropped_and_a_file_with_too_many_wildcards_is_refused() -> None:
    plain = "".join(f"/a/{n} /b/{n} 301!\n" for n in range(3_000))
    found = host({"_redirects": plain + "/a/*/x /last 301!\n"}, setting="netlify")
    assert [redirect(found, path) for path in ("/a/2999", "/a/2999/", "/a/y/x", "/a/z")] == ["/b/2999"] * 2 + [
        "/last",
        "",
    ]
    spread = "".join(f"/a{n}/* /b 301!\n" for n in range(2_100))
    assert redirect(host({"_redirects": spread}, setting="netlify"), "/a2099/x") == "/b"
    with pytest.raises(SourceError, match="the files of Netlify have 2,001 rules with wildcards for the same paths"):
        host({"_redirects": "".join(f"/a/*/{n} /b 301!\n" for n in range(2_001))}, setting="netlify")


@pytest.mark.parametrize("line", ["/a http://[bad 301!", "http://[bad /a 301!", "https://[bad/* /a"])
def test_a_url_that_is_none_is_no_error(line: str) -> None:
    for setting in ("netlify", "cloudflare-pages"):
        found = host({"_redirects": line, "_headers": f"{line.split()[0]}\n  Link: x\n"}, setting=setting)
        assert redirect(found, "/b") == ""


CLOUDFLARE = {"wrangler.toml": 'pages_build_output_dir = "."'}


def test_cloudflare_reads_a_hundred_redirects_after_the_first_with_a_wildcard() -> None:
    lines = ["/plain /new", "/w/* /new", *(f"/{n} /new" for n in range(2, 101)), "/late /new"]
    found = host({"_redirects": "\n".join(lines)}, CLOUDFLARE)
    assert [redirect(found, path) for path in ("/plain", "/w/x", "/100", "/late")] == ["/new", "/new", "/new", ""]
    assert [file for file, _ in found.unread] == ["_redirects"]


def test_cloudflare_reads_two_thousand_redirects_without_wildcards() -> None:
    lines = [*(f"/{n} /new" for n in range(2_001)), "/w/* /new"]
    found = host({"_redirects": "\n".join(lines)}, CLOUDFLARE)
    assert [redirect(found, path) for path in ("/1999", "/2000", "/w/x")] == ["/new", "", "/new"]
    assert found.unread == (("_redirects", "/2000: Cloudflare reads 2,000 rules without wildcards"),)


def test_cloudflare_reads_a_hundred_blocks_of_headers_whatever_is_in_them() -> None:
    blocks = [*(f"/{n}\n  Cache-Control: no-store\n" for n in range(99)), "/a\n  X-Robots-Tag: noindex\n"]
    found = host({"_headers": "".join([*blocks, "/b\n  X-Robots-Tag: noindex\n"])}, CLOUDFLARE)
    assert [found.rules.header(path, "x-robots-tag") for path in ("/a", "/b")] == ["noindex", ""]
    assert found.unread == (("_headers", "/b and what follows: Cloudflare reads 100 rules"),)
