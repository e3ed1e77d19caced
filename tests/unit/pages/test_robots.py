import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from waypost.core.errors import SourceError
from waypost.pages import robots
from waypost.pages.robots import rules_for, with_sitemaps

SITE = "https://example.org"
OURS = f"{SITE}/sitemap.xml"
LINE = f"Sitemap: {OURS}".encode()
rule_lines = st.sampled_from(
    [
        *("User-agent: *", "user agent waypost", "User-Agent: Googlebot*", "User-agent:", "User-agent: b # c", ""),
        *("Disallow: /x", "Allow: /x", "Disallow: /", "Disallow:", "Sitemap: https://e.org/", "# y"),
        *("useragent: waypost", "User-agent : googlebot", "user-agent: **", "User-agent", "Host: e.org"),
    ]
)
robots_lines = st.sampled_from(
    [
        b"User-agent: *",
        b"Disallow: /x",
        b"",
        b"# comment \xff",
        LINE,
        b"sitemap:" + OURS.encode() + b" # ours",
        b"Sitemap: https://example.org/sitemap-old.xml",
        b"Sitemap: https://other.example/s.xml",
        b"Sitemap:",
    ]
)
texts = st.builds(
    lambda lines, end, last: end.join(lines) + last,
    st.lists(robots_lines, max_size=8),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.sampled_from([b"", b"\n", b"\r\n"]),
)
wanted_lines = st.lists(
    st.sampled_from([LINE, b"Sitemap: https://example.org/sitemap-index-0123456789abcdef.xml"]), unique=True
)
PARTS = st.sampled_from(
    ["a", "b", "aa", "/", "*", "**", "%61", "%2F", "%2f", "%C3%A4", "\u00e4", "=", "?", "&", "index.html", "-"]
)
PATHS = st.lists(PARTS, max_size=6).map("".join)


def is_disallowed(text: bytes, *paths: str) -> list[bool]:
    rules = rules_for(text)["*"]
    return [not rules.allow(SITE + path) for path in paths]


def is_ours(url: str) -> bool:
    return url.startswith(f"{SITE}/sitemap") and url.endswith(".xml")


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("User-agent: *\nDisallow: /private/\n", "/private/a.html", True),
        ("User-agent: *\nDisallow: /private/\n", "/private", False),
        ("User-agent: Googlebot\nUser-agent: *\nDisallow: /\n", "/a.html", True),
        ("User-agent: *\nDisallow: /ü\n", "/%C3%BC/", True),
        ("User-agent: *\nDisallow: /a%3cd.html\n", "/a%3Cd.html", True),
        ("User-agent: *\nDisallow: /x # a comment\n", "/x/", True),
        ("\ufeffUser-agent: *\nDisallow: /x\n", "/x/", True),
        ("User-agent: *\nCrawl-delay: 3\nSitemap: https://e.org/s.xml\nDisallow: /x\n", "/x/", True),
        # a group keeps its rules whatever others there are, and only a rule ends its names
        ("User-agent: a\nUser-agent: *\nDisallow: /x", "/x", True),
        ("User-agent: *\nDisallow: /x\nUser-agent: a\nDisallow: /", "/x", True),
        ("User-agent: *\nUser-agent:\nDisallow: /x", "/x", True),
        ("User-agent: *\nDisallow: /y\nUser-agent: **\nDisallow: /x", "/x", False),
        ("User-agent: a*\nDisallow: /x", "/x", False),
        ("User-agent *\nDisallow: /x", "/x", True),
        ("User-agent: * # all\nDisallow: /x", "/x", True),
        ("User-agent: *\nCrawl-delay: 10\n\nUser-agent: badbot\nDisallow: /\n", "/a", True),
        ("User-agent: *\nContent-Signal: ai-train=no\nUser-agent: badbot\nDisallow: /\n", "/a", True),
        ("User-agent: *\nnonsense\n\nUser-agent: badbot\nDisallow: /\n", "/a", True),
        ("User-agent: *\nSitemap: https://a.dev/s.xml\nUser-agent: badbot\nDisallow: /\n", "/a", True),
        ("User-agent: *\nDisallow:\nUser-agent: badbot\nDisallow: /\n", "/a", False),
        ("User-agent: *\nAllow: /x\nUser-agent: badbot\nDisallow: /\n", "/a", False),
    ],
)
def test_robots_txt_disallows_as_rfc_9309_says(text: str, path: str, expected: bool) -> None:
    assert is_disallowed(text.encode(), path) == [expected]


@pytest.mark.parametrize("agent", ["User-agent: a{}", "user agent a{}", "User-Agent : a{}"])
def test_many_crawlers_of_one_group_take_no_more_time_than_one(agent: str) -> None:
    text = "".join(agent.format(n) + "\n" for n in range(4_000)) + "User-agent: *\n" + "Disallow: /x\n" * 4_000
    assert is_disallowed(text.encode(), "/x", "/y") == [True, False]


def test_only_the_whole_lines_of_the_beginning_count() -> None:
    text = b"User-agent: *\nDisallow: /x\n"
    text += b"#" * (robots.MOST_BYTES - len(text) - 12) + b"\nDisallow: /a/private/folder\nDisallow: /b\n"
    assert is_disallowed(text, "/x", "/a", "/b") == [True, False, False]


@given(st.lists(rule_lines, max_size=12))
def test_crawlers_that_do_not_matter_change_nothing(lines: list[str]) -> None:
    # After a rule, Protego groups as RFC 9309 does, also where there are other lines.
    text = "\n".join(each for line in lines for each in ([line, "Crawl-delay: 1"] if "llow: /" in line else [line]))
    ours, all_rules = rules_for(text.encode(), ("waypost", "Googlebot")), Protego.parse(text)
    for name in ("*", "waypost", "Googlebot"):
        assert ours[name].allow(f"{SITE}/x") == all_rules.can_fetch(f"{SITE}/x", name)
        assert ours[name].delay == (all_rules.crawl_delay(name) or 0)


@given(
    st.one_of(
        st.binary(max_size=200),
        st.lists(
            st.sampled_from([b"User-agent: *", b"Disallow: /*a$", b"Allow: %", b"Disallow: \xff%zz", b":", b"Sitemap:"])
        ).map(b"\n".join),
    )
)
def test_no_robots_txt_raises(text: bytes) -> None:
    assert is_disallowed(text, "/a.html") in ([True], [False])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", LINE + b"\n"),
        (b"User-agent: *\nDisallow:", b"User-agent: *\nDisallow:\n" + LINE + b"\n"),
        (b"User-agent: *\r\nDisallow:", b"User-agent: *\r\nDisallow:\r\n" + LINE + b"\r\n"),
        (LINE + b"\nUser-agent: *\n", LINE + b"\nUser-agent: *\n"),
        (b"  SITEMAP :" + OURS.encode() + b"  # ours\n", b"  SITEMAP :" + OURS.encode() + b"  # ours\n"),
        (b"\xef\xbb\xbf" + LINE + b"\nUser-agent: *\n", b"\xef\xbb\xbf" + LINE + b"\nUser-agent: *\n"),
        (b"Sitemap: https://example.org/sitemap-old.xml\nUser-agent: *\n", b"User-agent: *\n" + LINE + b"\n"),
        (LINE + b"\n" + LINE + b"\n", LINE + b"\n"),
        (
            b"Sitemap: https://other.example/sitemap.xml\n",
            b"Sitemap: https://other.example/sitemap.xml\n" + LINE + b"\n",
        ),
        (b"Sitemap: https://example.org/news.xml\n", b"Sitemap: https://example.org/news.xml\n" + LINE + b"\n"),
    ],
)
def test_the_sitemap_lines_that_are_ours_are_put_right(before: bytes, after: bytes) -> None:
    assert with_sitemaps(before, [LINE], is_ours) == after


@given(texts, wanted_lines)
def test_putting_robots_txt_right_twice_changes_nothing_more(text: bytes, lines: list[bytes]) -> None:
    once = with_sitemaps(text, lines, is_ours)
    assert with_sitemaps(once, lines, is_ours) == once


@given(texts, wanted_lines)
def test_every_other_line_stays_as_it_is(text: bytes, lines: list[bytes]) -> None:
    def others(content: bytes) -> list[bytes]:
        return [line for line in content.splitlines() if OURS[:-4].encode() not in line]

    found = with_sitemaps(text, lines, is_ours)
    assert others(found) == others(text)
    assert all(line.partition(b": ")[2] in found for line in lines)
    assert b"sitemap-old" not in found


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "line",
    [
        "Content-Signal: search=yes, ai-train=no",
        "content-signal :  Search=YES,ai-train = no # as agreed",
        "Crawl-delay: 10",
        "# \u00e9 any comment",
    ],
)
def test_a_line_that_waypost_does_not_know_is_kept_byte_for_byte(line: str, newline: str) -> None:
    before = f"User-agent: *{newline}{line}{newline}\tDisallow: /x{newline}{newline}{line}{newline}".encode()
    assert with_sitemaps(before, [LINE], is_ours) == before + LINE + newline.encode()


def test_a_line_names_a_crawler_in_all_spellings_that_crawlers_take() -> None:
    lines = robots.read_lines(b"\xef\xbb\xbfUser-Agent: a # b\nuser agent b\nAllow: /\n")
    assert lines == ["User-Agent: a", "user agent b", "Allow: /"]
    assert [bool(robots.AGENT_LINE.match(line)) for line in lines] == [True, True, False]


def test_what_a_template_renders_beside_sitemap_lines_is_not_added_again_and_again() -> None:
    lines = [b"# Sitemaps", b"", LINE]
    once = with_sitemaps(b"User-agent: *\n", lines, is_ours)
    assert with_sitemaps(once, lines, is_ours) == once


def test_a_byte_order_mark_stays_though_the_line_behind_it_goes() -> None:
    text = b"\xef\xbb\xbfSitemap: https://example.org/sitemap.xml\r\nUser-agent: *\r\n"
    lines = [b"Sitemap: https://example.org/sitemap.xml.gz"]
    assert robots.with_sitemaps(text, lines, lambda url: True) == (
        b"\xef\xbb\xbfUser-agent: *\r\nSitemap: https://example.org/sitemap.xml.gz\r\n"
    )


def test_the_sitemaps_that_robots_txt_names_are_found_in_their_order() -> None:
    text = b"\xef\xbb\xbfSitemap: https://a.dev/2.xml\nUser-agent: *\n  sitemap : /1.xml # x\nNot-a-sitemap: x\n"
    assert robots.named_sitemaps(text) == ["https://a.dev/2.xml", "/1.xml"]


def test_a_delay_is_for_the_whole_group_that_has_it() -> None:
    text = b"User-agent: a\nCrawl-delay: 3\nUser-agent: b\nDisallow: /x\nUser-agent: c\nDisallow: /\nCrawl-delay: 5\n"
    rules = rules_for(text, ("a", "b", "c"))
    assert [rules[name].delay for name in ("a", "b", "c")] == [3, 3, 5]


def test_lines_that_join_groups_are_named() -> None:
    text = b"User-agent: *\nCrawl-delay: 10 # slow\n\nUser-agent: bad\nDisallow: /\nUser-agent: c\nUser-agent: d\n"
    assert robots.joined_groups(text) == ["`User-agent: bad` after `Crawl-delay: 10`"]
    assert robots.joined_groups(b"User-agent: *\nSitemap: https://a.dev/s.xml\nUser-agent: b\nAllow: /\n") == []


def test_a_url_is_blocked_if_every_crawler_or_google_is_kept_from_it() -> None:
    urls = ["https://a.dev/sitemap.xml", "https://a.dev/a.html"]
    assert robots.blocked(b"User-agent: *\nDisallow: /*.xml$\n", urls) == urls[:1]
    assert robots.blocked(b"User-agent: Googlebot\nDisallow: /*.xml$\n", urls) == urls[:1]
    assert robots.blocked(b"User-agent: Bingbot\nDisallow: /\n", urls) == []


@pytest.mark.parametrize("text", [b"", b"User-agent: *\nAllow: /a\n", b"User-agent: Other\nDisallow: /\n"])
def test_rules_that_allow_every_crawler_all_disallow_nothing(text: bytes) -> None:
    assert robots.disallowing(text) is None


@given(st.lists(st.tuples(st.booleans(), PATHS, st.sampled_from(["", "", "$", "*"])), max_size=6), PATHS)
def test_the_rules_decide_as_those_of_another_implementation(rules: list[tuple[bool, str, str]], path: str) -> None:
    lines = [f"{'Allow' if allowed else 'Disallow'}: /{pattern}{end}" for allowed, pattern, end in rules]
    text, path = "\n".join(["User-agent: *", *lines]), f"/{path}".replace("*", "x")
    assert is_disallowed(text.encode(), path) == [not Protego.parse(text).can_fetch(SITE + path, "*")]


@pytest.mark.parametrize(
    ("agent", "name", "is_followed"),
    [
        ("Googlebot", "Googlebot", True),
        ("googlebot/2.1", "Googlebot", True),
        ("Googlebot/2.1 (+http://www.google.com/bot.html)", "Googlebot", True),
        ("Googlebot is mine", "Googlebot", True),
        ("Googlebot*", "Googlebot", True),
        ("Google", "Googlebot", False),
        ("Googlebot-News", "Googlebot", False),
        ("Googlebot", "Googlebot-News", True),
        ("Googlebot-Image", "Googlebot-News", False),
        ("bingbot/2.0", "Bingbot", True),
        ("bing", "Bingbot", False),
        ("bot", "bot-news", False),
        ("* and more", "other", True),
        ("**", "other", False),
        ("*a", "other", False),
    ],
)
def test_a_crawler_follows_the_group_of_its_own_name(agent: str, name: str, *, is_followed: bool) -> None:
    """The answers are those of google/robotstxt (robots_test.cc) for Googlebot, and of RFC 9309, 2.2.1, for others."""
    rules = rules_for(f"User-agent: {agent}\nDisallow: /\n".encode(), (name,))
    assert rules[name].allow(f"{SITE}/a") is not is_followed


def test_a_page_is_disallowed_if_every_crawler_is_kept_from_it_or_google_s() -> None:
    check = robots.disallowing(b"User-agent: *\nDisallow: /a\nUser-agent: Googlebot/2.1\nDisallow: /b\n")
    assert check is not None
    assert [check(f"{SITE}/{path}") for path in "abc"] == [True, True, False]


def test_robots_txt_itself_may_be_fetched_whatever_it_says() -> None:
    assert is_disallowed(b"User-agent: *\nDisallow: /", "/robots.txt", "/a/robots.txt") == [False, True]


def test_the_time_for_a_page_does_not_grow_with_the_number_of_plain_rules() -> None:
    text = "User-agent: *\n" + "".join(f"Disallow: /{n}/\nAllow: /{n}/x/$\n" for n in range(3_000))
    found = is_disallowed(text.encode(), *(f"/{n}/{name}" for n in range(5_000) for name in ("", "x/", "x/y")))
    assert found[:3] == [True, False, True]
    assert found[-3:] == [False] * 3


def test_a_file_with_too_many_wildcards_is_refused_and_no_rule_is_dropped() -> None:
    rules = [f"Disallow: /*a{n}*b" for n in range(1_000)]
    text = "\n".join(["User-agent: *", *rules, *rules, "Disallow: /last*", "Disallow: /x**y*"[:14]])
    assert is_disallowed(text.encode(), "/last") == [True]
    with pytest.raises(SourceError, match=r"the rules of robots.txt for one crawler have 2,001 wildcards, and at most"):
        rules_for(f"{text}\nDisallow: /*more".encode())


@given(st.binary(max_size=100), wanted_lines)
def test_no_bytes_are_lost_but_stale_lines(text: bytes, lines: list[bytes]) -> None:
    assert with_sitemaps(text, lines, is_ours).startswith(text)
