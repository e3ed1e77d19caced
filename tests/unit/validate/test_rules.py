import gzip
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from page_content import file_bytes
from unit.sample_sites import site
from unit.validate.given import (
    BASE,
    IMAGE_NAMESPACE,
    NOW,
    Given,
    atom,
    feed,
    index,
    link,
    loc,
    news,
    survey,
    url,
    urlset,
    video,
)

from waypost.build.lister import DateSources, Lister
from waypost.build.site_checks import blocked_sitemaps
from waypost.build.site_comparison import SiteComparison
from waypost.core.finding_types import SITEMAP_RULES, FindingType, Severity
from waypost.files.folder_source import FolderSource
from waypost.validate import SITEMAP_NAMESPACE, Finding, FindingReport, Validator


def one(body: bytes | str, name: str = "sitemap.xml", modified: float | None = None) -> list[Given]:
    """The only file of a case."""
    content = body.encode() if isinstance(body, str) else body
    return [Given((content,), name, f"{BASE}{name}", modified)]


def listed(path: str) -> list[Given]:
    """A sitemap of one page."""
    return one(urlset(url(path=path)))


def dated(*dates: str, modified: float | None = None) -> list[Given]:
    inside = "".join(url(f"<lastmod>{date}</lastmod>", f"{n}") for n, date in enumerate(dates))
    return one(urlset(inside), modified=modified)


def described(extension: str, path: str = "") -> list[Given]:
    """A sitemap of one page with an extension."""
    return one(urlset(url(extension, path)))


def several(**bodies: bytes) -> list[Given]:
    """Files by the stems of their names."""
    return [Given((body,), f"{stem}.xml", f"{BASE}{stem}.xml") for stem, body in bodies.items()]


CHILD = f"{BASE}a.xml"
GENERATED = "2026-03-01T12:00:00+00:00"
GENERATION = NOW - 86_400
FILLER = b"<!--" + b"x" * 1_000_000 + b"-->\n"

CASES: Mapping[str, Sequence[Given]] = {
    "unreadable": [Given((), fails=OSError(5, "the server answers 404 Not Found"))],
    "moved": [Given((urlset(url()),), redirected_to=f"{BASE}there.xml")],
    "not-a-sitemap": one("<!DOCTYPE html><html></html>"),
    "not-well-formed": one(urlset(url(path="?a&b"))),
    "entity": one(f'<!DOCTYPE urlset [<!ENTITY a "b">]><urlset xmlns="{SITEMAP_NAMESPACE}"/>'),
    "doctype": one(f'<!DOCTYPE urlset><urlset xmlns="{SITEMAP_NAMESPACE}">{url()}</urlset>'),
    "wrong-encoding": one(urlset(url()).replace(b"UTF-8", b"ISO-8859-1")),
    "byte-order-mark": one(b"\xef\xbb\xbf" + urlset(url())),
    "too-large": [Given((urlset(url()).removesuffix(b"</urlset>\n"), *(FILLER,) * 53, b"</urlset>\n"))],
    "too-many-urls": one("".join(f"{BASE}{n}\n" for n in range(50_001)), "sitemap.txt"),
    "too-many-sitemaps": one(index(*(loc(f"{n}.xml") for n in range(50_001)))),
    "gzip-damaged": one(gzip.compress(urlset(url()))[:-20], "sitemap.xml.gz"),
    "gzip-twice": one(gzip.compress(gzip.compress(urlset(url()))), "sitemap.xml.gz"),
    "blank-before-declaration": one(b"\n" + urlset(url())),
    "not-rendered": listed("{{ page.url }}"),
    "index-of-itself": several(sitemap=index(loc("sitemap.xml"))),
    "not-compressed": one(urlset(url()), "sitemap.xml.gz"),
    "sent-as-gzip": [Given((urlset(url()),), is_sent_as_gzip=True)],
    "gzip-sent-as-plain": [Given((gzip.compress(urlset(url())),), is_sent_as_gzip=False)],
    "value-padded": one(urlset(url("<changefreq> daily </changefreq>"))),
    "empty": one(urlset("", f'xmlns="{SITEMAP_NAMESPACE}"')),
    "wrong-namespace": one(urlset(url(), 'xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"')),
    "unknown-namespace": one(urlset(url('<x:rank xmlns:x="urn:x">1</x:rank>'))),
    "unknown-element": one(urlset(url("<title>Home</title>"))),
    "unknown-attribute": one(urlset(url().replace("<url>", '<url id="1">'))),
    "element-order": one(urlset(f"<url><lastmod>2026-03-01</lastmod>{loc()}</url>")),
    "element-repeated": one(urlset(url("<lastmod>2026-03-01</lastmod><lastmod>2026-03-02</lastmod>"))),
    "loc-repeated": one(urlset(url(loc("a")))),
    "misplaced-entry": one(urlset(f"{url()}<sitemap>{loc('a.xml')}</sitemap>")),
    "stray-text": one(urlset(url().replace("<url>", "<url>Home"))),
    "missing-loc": one(urlset("<url></url>")),
    "nested-index": several(sitemap=index(f"<loc>{CHILD}</loc>"), a=index(loc("b.xml"))),
    "changefreq": described("<changefreq>often</changefreq>"),
    "priority": described("<priority>5</priority>"),
    "loc-private": one(urlset("<url><loc>http://localhost:4000/</loc></url>")),
    "loc-relative": one(urlset("<url><loc>/about.html</loc></url>")),
    "loc-scheme": listed("ftp://www.example.org/"),
    "loc-too-long": listed("a" * 2_048),
    "loc-host": listed("https://example.net/"),
    "loc-protocol": listed("http://www.example.org/"),
    "loc-above": [Given((urlset(url(path="a.html")),), loc=f"{BASE}blog/sitemap.xml")],
    "loc-user-info": listed("https://me@www.example.org/"),
    "loc-host-name": listed("https://exa_mple!.org/"),
    "loc-fragment": listed("#top"),
    "loc-space": listed("a b"),
    "loc-padded": one(urlset(f"<url><loc> {BASE} </loc></url>")),
    "loc-backslash": listed("a\\b"),
    "loc-character": listed("{a}"),
    "loc-bracket": listed("?a[]=1"),
    "loc-not-ascii": listed("ü"),
    "loc-host-not-ascii": [Given((urlset(url(path="https://bücher.example/")),), loc="https://bücher.example/s.xml")],
    "loc-escaped-twice": listed("?a=1&amp;amp;b=2"),
    "duplicate-spelling": one(urlset(f"{url()}\n{url(path='https://WWW.example.org:443')}")),
    "date-before-web": dated("1970-01-01"),
    "loc-percent": listed("100%"),
    "loc-encoded-twice": listed("a%2520b"),
    "loc-dots": listed("a/../b"),
    "duplicate": one(urlset(f"{url()}\n{url()}")),
    "duplicate-elsewhere": several(a=urlset(url()), b=urlset(url())),
    "child-elsewhere": one(index("<loc>https://example.net/sitemap.xml</loc>")),
    "child-above": [Given((index(loc("sitemap-a.xml")),), loc=f"{BASE}maps/index.xml")],
    "feed-link": one(feed("<title>News</title>"), "feed.rss"),
    "text-line": one(f"# pages\n{BASE}\n", "sitemap.txt"),
    "date-form": dated("1 March 2026"),
    "date-form-rss": one(feed(f"<link>{BASE}a</link><pubDate>yesterday</pubDate>"), "feed.rss"),
    "date-impossible": dated("2026-02-30"),
    "date-future": dated("2999-01-01"),
    "dates-all-equal": dated(*["2026-02-01"] * 5),
    "dates-of-generation": dated(*[GENERATED] * 5, modified=GENERATION + 6),
    "child-date": several(
        sitemap=index(f"<loc>{CHILD}</loc><lastmod>2026-02-01</lastmod>"),
        a=urlset(url("<lastmod>2026-02-02</lastmod>")),
    ),
    "hreflang-code": described(link("en-UK", "")),
    "hreflang-unsupported": described(link("es-419", "")),
    "hreflang-link": described(f'{link("en", "")}<xhtml:link rel="alternate" hreflang="de"/>'),
    "hreflang-repeated": described(link("de", "") + link("de", "b")),
    "hreflang-self": described(link("de", "b")),
    "hreflang-unreturned": one(urlset(url(link("en", "") + link("de", "de")) + url(path="de"))),
    "hreflang-unlisted": one(urlset(url(link("en", "") + link("de", "de")))),
    "extension-place": described(f"<image:loc>{BASE}i.png</image:loc>"),
    "extension-repeated": described(news() * 2),
    "image-loc": described("<image:image></image:image>"),
    "image-count": described(f"<image:image>{loc('i.png').replace('loc>', 'image:loc>')}</image:image>" * 1_001),
    "image-unused": described(
        f"<image:image><image:loc>{BASE}i.png</image:loc><image:caption>C</image:caption></image:image>"
    ),
    "news-incomplete": described("<news:news></news:news>"),
    "news-language": described(news(language="english")),
    "news-date": described(news(date="today")),
    "news-old": described(news(date="2026-02-20")),
    "news-count": one(urlset("".join(url(news(), f"{n}") for n in range(1_001)))),
    "video-incomplete": described("<video:video></video:video>"),
    "news-unused": described(news().replace("</news:news>", "<news:genres>Blog</news:genres></news:news>")),
    "video-unused": described(video("<video:category>Cats</video:category>")),
    "video-value": described(video("<video:duration>0</video:duration>")),
}
ALSO: Mapping[str, set[str]] = {
    "entity": {"doctype"},
    "hreflang-repeated": {"hreflang-unlisted"},
    "hreflang-self": {"hreflang-unlisted"},
}
"""What else is wrong with the input of a case."""


@dataclass
class Beside:
    """A site's files, its settings, and what a sitemap lists beside them."""

    files: Mapping[str, str]
    lists: Sequence[str]
    exclude: Sequence[str] = ()


HOME = {"index.html": "<title>Home</title>"}
BESIDE: Mapping[str, Beside] = {
    "listed-missing": Beside(HOME, ["", "gone.html"]),
    "listed-noindex": Beside(HOME | {"a.html": '<meta name="robots" content="noindex">'}, ["", "a.html"]),
    "listed-redirect": Beside(HOME | {"a.html": '<meta http-equiv="refresh" content="0; url=/">'}, ["", "a.html"]),
    "listed-not-canonical": Beside(HOME | {"a.html": f'<link rel="canonical" href="{BASE}">'}, ["", "a.html"]),
    "listed-disallowed": Beside(
        HOME | {"robots.txt": "User-agent: *\nDisallow: /private/\n", "private/a.html": ""}, ["", "private/a.html"]
    ),
    "sitemap-disallowed": Beside(HOME | {"robots.txt": "User-agent: *\nDisallow: /sitemap.xml\n"}, [""]),
    "listed-variant": Beside(HOME | {"about.html": ""}, ["", "about.html", "about"]),
    "listed-left-out": Beside(HOME | {"drafts/a.html": ""}, ["", "drafts/a.html"], ["/drafts/"]),
    "unlisted": Beside(HOME | {"a.html": ""}, [""]),
}


def beside(case: Beside, root: Path) -> FindingReport:
    for key, text in case.files.items():
        (root / key).parent.mkdir(parents=True, exist_ok=True)
        (root / key).write_bytes(file_bytes(key, text))
    the_site = site(BASE, exclude=list(case.exclude), lastmod="none")
    dates = DateSources("2026-03-02T12:00:00Z")
    listing = Lister(FolderSource(root), the_site, dates, lambda stage, done, total: None).listing()
    against, report = SiteComparison(listing, the_site), FindingReport()
    with closing(Validator(NOW, report)) as validator:
        list(validator.validate(one("".join(f"{BASE}{path}\n" for path in case.lists), "sitemap.txt")))
        validator.compare(against.mismatch)
        for missed in against.unlisted(validator.locs()):
            report.add("unlisted", "a.html", 0, missed)
    for blocked in blocked_sitemaps(listing.robots_txt or b"", the_site, [f"{BASE}sitemap.xml"]):
        report.add("sitemap-disallowed", "sitemap.xml", 0, blocked)
    return report


def assert_well_said(finding: Finding) -> None:
    rule = SITEMAP_RULES[finding.code]
    assert (finding.severity, finding.source) == (rule.severity, rule.source)
    fields = re.findall(r"\{\w+[^}]*\}", rule.meaning + rule.advice)
    assert not any(each in finding.message + finding.advice for each in fields)


def test_every_rule_has_a_case() -> None:
    of_the_command = ["sitemap-relative"]
    assert sorted([*CASES, *BESIDE, *of_the_command]) == sorted(SITEMAP_RULES)


@pytest.mark.parametrize("code", CASES)
def test_what_breaks_a_rule_is_told_by_that_rule_alone(code: str) -> None:
    report = survey(CASES[code])
    assert set(report.counts) == {code} | ALSO.get(code, set())
    for finding in report:
        assert_well_said(finding)


@pytest.mark.parametrize("code", BESIDE)
def test_what_the_site_gainsays_is_told_by_that_rule_alone(code: str, tmp_path: Path) -> None:
    report = beside(BESIDE[code], tmp_path)
    assert list(report.counts) == [code]
    for finding in report:
        assert_well_said(finding)


@pytest.mark.parametrize("rule", SITEMAP_RULES.values(), ids=list(SITEMAP_RULES))
def test_a_rule_says_what_is_wrong_and_what_to_do_and_whose_word_that_is(rule: FindingType) -> None:
    assert rule is SITEMAP_RULES[rule.code]
    assert rule.severity in Severity
    assert all((rule.meaning, rule.advice, rule.source, rule.example))
    assert not rule.meaning.endswith(".")
    assert not rule.advice.endswith(".")


LEGAL: Mapping[str, Sequence[Given]] = {
    "all four core elements": one(
        urlset(
            url("<lastmod>2026-03-01</lastmod><changefreq>daily</changefreq><priority>0.8</priority>")
            + url("<priority>1.0</priority>", "a.html")
        )
    ),
    "all forms of a date": dated(
        "2005",
        "2005-05",
        "2005-05-10",
        "2005-05-10T17:33+08:00",
        "2005-05-10T17:33:09Z",
        "2005-05-10T17:33:09.25-03:30",
    ),
    "white space around": one(
        f'\n<urlset xmlns="{SITEMAP_NAMESPACE}">\n  <url>\n<loc>\n{BASE}\n</loc>\n</url>\n</urlset>\n\n'
    ),
    "a prefix": one(f'<s:urlset xmlns:s="{SITEMAP_NAMESPACE}"><s:url><s:loc>{BASE}</s:loc></s:url></s:urlset>'),
    "the schema's place": one(
        urlset(
            url(),
            f'xmlns="{SITEMAP_NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
            f'xsi:schemaLocation="{SITEMAP_NAMESPACE} {SITEMAP_NAMESPACE}/sitemap.xsd"',
        )
    ),
    "comments and CDATA": one(urlset(f"<!-- all --><url><loc><![CDATA[{BASE}]]></loc></url><?x y?>")),
    "an image under another prefix": described(
        f'<i:image xmlns:i="{IMAGE_NAMESPACE}"><i:loc>https://cdn.example.net/i.png</i:loc></i:image>'
    ),
    "alternates that return": one(
        urlset(
            "".join(
                url(link("en", "") + link("de-AT", "de") + link("zh-Hant", "zh") + link("x-default", ""), path)
                for path in ("", "de", "zh")
            )
        )
    ),
    "a video": described(
        video(
            "<video:duration>600</video:duration><video:rating>4.5</video:rating>"
            "<video:view_count>10</video:view_count><video:family_friendly>yes</video:family_friendly>"
            "<video:live>no</video:live><video:publication_date>2026-03-01T12:00:00Z</video:publication_date>"
        )
    ),
    "news of today": described(news("2026-03-02T08:00:00+01:00")),
    "an index with children": [
        *several(sitemap=index(loc("a.xml"), f"{loc('b.xml')}<lastmod>2026-03-01T12:00:00Z</lastmod>")),
        *several(a=urlset(url()), b=urlset(url("<lastmod>2026-02-27</lastmod>", "b"))),
    ],
    "RSS": one(feed(f"<link>{BASE}a</link><pubDate>Sun, 01 Mar 2026 12:00:00 +0000</pubDate>"), "feed.rss"),
    "Atom": one(atom(f'<link href="{BASE}a"/><updated>2026-03-01T12:00:00Z</updated>'), "feed.atom"),
    "a file of no known place": [Given((urlset(url(path="a/b") + url(path="c")),), loc="")],
}


@pytest.mark.parametrize("name", LEGAL)
def test_there_is_nothing_to_say_of_what_is_legal(name: str) -> None:
    assert [(each.code, each.message) for each in survey(LEGAL[name])] == []


def test_the_most_that_a_file_may_hold_is_no_mistake() -> None:
    assert survey(one("".join(f"{BASE}{n}\n" for n in range(50_000)), "sitemap.txt")).counts == {}
    assert survey(one(index(*(loc(f"{n}.xml") for n in range(1_000))))).counts == {}
    begin, end = urlset(url()).removesuffix(b"</urlset>\n"), b"</urlset>\n"
    rest = 10_485_760 - len(begin) - len(end) - 10 * len(FILLER)
    exact = Given((begin, *(FILLER,) * 10, b" " * rest, end))
    assert survey([exact]).counts == {}
    assert exact.taken == 10_485_760
