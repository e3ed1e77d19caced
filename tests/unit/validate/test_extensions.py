"""Alternates, images, news and videos of an entry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import BASE, examine, link, news, shown, url, urlset, video

from waypost.validate import Finding


def found(extension: str) -> list[Finding]:
    return examine(urlset(url(extension))).findings


def codes_of(extension: str) -> list[str]:
    return [each.code for each in found(extension)]


@pytest.mark.parametrize(
    ("attributes", "why"),
    [
        ('hreflang="de" href="https://www.example.org/"', "it has no rel=alternate"),
        ('rel="canonical" hreflang="de" href="https://www.example.org/"', "it has no rel=alternate"),
        ('rel="alternate" href="https://www.example.org/"', "it has no hreflang"),
        ('rel="alternate" hreflang="de"', "it has no URL"),
        ('rel="alternate" hreflang="de" href="/de"', "'/de' is not absolute"),
        ('rel="alternate" hreflang="de" href="ftp://www.example.org/"', "is neither http nor https"),
        ('rel="alternate" hreflang="de" href="https:///de"', "has no valid host"),
    ],
)
def test_an_alternate_that_lacks_anything_is_told(attributes: str, why: str) -> None:
    (finding,) = found(f"<xhtml:link {attributes}/>")
    assert (finding.code, why in finding.message) == ("hreflang-link", True)


SMALL = link("de", "m").replace("hreflang", 'media="only screen and (max-width: 640px)" hreflang')
APP = '<xhtml:link rel="alternate" href="android-app://com.example/https/www.example.org/"/>'


@pytest.mark.parametrize(
    ("links", "codes"),
    [
        (link("en", "") + '<xhtml:link rel="alternate" hreflang="de" href="https://example.de/"/>', []),
        (link("en", "") + link("en-GB", ""), []),
        (link("en", "") + link("EN", "b"), ["hreflang-repeated"]),
        (link("en", "") + link("en", "."), []),
        (link("de", "").replace(BASE, "https://WWW.example.org:443"), []),
        (link("eng", ""), ["hreflang-unsupported"]),
        (link("zh-Hant-TW", ""), []),
        (link("de", "") + SMALL, []),
        (link("de", "") + SMALL + SMALL.replace(f"{BASE}m", f"{BASE}n"), ["hreflang-repeated"]),
        (link("de", "") + SMALL.replace(' hreflang="de"', ""), []),
        (link("de", "") + APP, []),
        (link("de", "") + APP.replace("android", "ios"), []),
        (link("de", "") + APP.replace("href=", 'hreflang="de" href='), []),
        (f"{link('de', '%61' * 3_000)}{link('de', 'b') * 1_500}", ["hreflang-self"] + ["hreflang-repeated"] * 100),
    ],
    ids=shown,
)
def test_each_page_has_one_alternate_for_a_language_and_is_one_itself(links: str, codes: list[str]) -> None:
    found_codes = [code for code in codes_of(links) if code != "hreflang-unlisted"]  # one page is listed
    assert sorted(found_codes, reverse=True) == codes


def test_a_mistake_of_an_extension_is_told_at_its_own_line() -> None:
    (finding,) = found(f"\n{link('en', '')}\n\n{link('xx', '')}\n")
    assert (finding.code, finding.line, finding.loc) == ("hreflang-code", 5, BASE)
    (finding,) = found(link("x" * 100, ""))
    assert finding.code == "hreflang-code"


IMAGE = f"<image:image><image:loc>{BASE}i.png</image:loc></image:image>"
PAGE_MAP = '<PageMap xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0"><DataObject/></PageMap>'


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        (IMAGE + IMAGE, ""),
        (IMAGE.replace(BASE, "https://cdn.example.net/"), ""),
        (IMAGE.replace("i.png", "i%20j.png"), ""),
        (IMAGE.replace("i.png", "i j.png"), "image-loc"),
        (IMAGE.replace("i.png", "100%.png"), "image-loc"),
        (IMAGE.replace(BASE, ""), "image-loc"),
        (IMAGE.replace("</image:image>", f"<image:loc>{BASE}j.png</image:loc></image:image>"), "extension-repeated"),
        (IMAGE * 1_000, ""),
        ("<image:title>x</image:title>", "extension-place"),
        ("<news:title>x</news:title>", "extension-place"),
        ("<video:title>x</video:title>", "extension-place"),
        ("<xhtml:a>x</xhtml:a>", "extension-place"),
        ("<mobile:mobile/>", ""),
        (PAGE_MAP, ""),
        (news(), ""),
        (news().replace("<news:title>", "<news:title>A</news:title><news:title>"), "extension-repeated"),
        (news(language="fil"), ""),
        (news(language="zh-cn"), ""),
        (news(language="zh-TW"), ""),
        (news(language="en-GB"), "news-language"),
        (news(language="e"), "news-language"),
        (video() * 2, ""),
        (video().replace("content_loc", "player_loc"), ""),
        (video().replace(f"{BASE}v.mp4", "ftp://media.example.org/v.mp4"), ""),
        (video().replace(f"{BASE}v.mp4", "rtsp://media.example.org/v.mp4"), "video-value"),
        (video().replace(f"{BASE}v.mp4", BASE), "video-value"),
        (video().replace(">V<", f">{'V' * 100}<"), ""),
        (video().replace(">D<", f">{'d' * 2_048}<"), ""),
        (video("<video:tag>a</video:tag>" * 32), ""),
        (video("<video:title>A</video:title>"), "extension-repeated"),
        (video(f"<video:uploader>{'u' * 255}</video:uploader>"), ""),
        (video('<video:restriction relationship="deny">US USA</video:restriction>'), "video-value"),
        (video('<video:restriction relationship="deny">us de</video:restriction>'), ""),
        (video('<video:platform relationship="allow">web phone</video:platform>'), "video-value"),
        (video('<video:platform relationship="allow">Web mobile TV</video:platform>'), ""),
    ],
    ids=shown,
)
def test_what_an_extension_has_is_in_its_place_once_and_valid(inside: str, code: str) -> None:
    assert codes_of(inside) == ([code] if code else [])


def test_a_link_outside_of_a_url_is_read_by_nobody() -> None:
    assert examine(urlset(link("en", "") + url())).codes == ["extension-place"]


def test_all_that_news_and_videos_lack_is_told() -> None:
    lacking = [each.message for each in found("<news:news></news:news><video:video></video:video>")]
    assert lacking == [
        *(f"the news element has no {name}" for name in ("publication_date", "title")),
        *(f"the news element has no publication {name}" for name in ("name", "language")),
        *(
            f"the video has no {name}"
            for name in ("thumbnail_loc", "title", "description", "content_loc or player_loc")
        ),
    ]


@pytest.mark.parametrize(
    ("date", "codes"),
    [
        ("2026-03-02", []),
        ("2026-03-02T11:00:00Z", []),
        ("2026-02-28T12:00:01Z", []),
        ("2026-02-28", []),
        ("2026-02-27", ["news-old"]),
        ("2026-02-28T11:59:58Z", ["news-old"]),
        ("2026-03-05", ["news-date"]),
        ("2026-02-30", ["news-date"]),
        ("today", ["news-date"]),
    ],
)
def test_news_are_those_of_the_last_two_days(date: str, codes: list[str]) -> None:
    assert codes_of(news(date)) == codes


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        (
            "duration",
            ("1", "600", "28800"),
            ("0", "28801", "10:00", "", "-1", "nan", "1_0", "1e3", "٣", "60.", "12.5", "1" * 60_000 + "x"),
        ),
        ("rating", ("0", "5", "5.0", "3.5", ".5"), ("5.1", "-1", "*****", "inf")),
        ("view_count", ("0", "1000000"), ("-1", "1,000", "many", "٣", "1.5")),
        ("family_friendly", ("yes", "No"), ("true", "")),
        ("requires_subscription", ("yes", "no"), ("0",)),
        ("live", ("YES", "no"), ("maybe",)),
        ("publication_date", ("2026-03-01", "2026-03-01T12:00:00Z"), ("yesterday", "2026-02-30")),
        ("expiration_date", ("2026-03-03", "2999-01-01"), ("2026-03-01", "never")),
        ("player_loc", ("https://example.net/v", "ftp://e.org/v", ""), ("v.mp4", "rtsp://example.net/v")),
        ("tag", ("a", ""), ()),
    ],
)
def test_the_fields_of_a_video_have_their_values(name: str, right: tuple[str, ...], wrong: tuple[str, ...]) -> None:
    for value in (*right, *wrong):
        codes = codes_of(video(f"<video:{name}>{value}</video:{name}>"))
        assert codes == (["video-value"] if value in wrong else []), value


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (">V<", f">{'V' * 101}<", "101 characters, but the limit is 100"),
        (">D<", f">{'D' * 2_049}<", "2,049 characters, but the limit is 2,048"),
        ("</video:video>", "<video:tag>t</video:tag>" * 33 + "</video:video>", "at most 32"),
        ("</video:video>", "<video:restriction>DE</video:restriction></video:video>", "relationship"),
        ("</video:video>", '<video:platform relationship="no">tv</video:platform></video:video>', "relationship"),
    ],
    ids=shown,
)
def test_what_exceeds_the_schema_of_videos_is_a_finding(before: str, after: str, why: str) -> None:
    (finding,) = found(video().replace(before, after))
    assert (finding.code, why in finding.message) == ("video-value", True)


@pytest.mark.parametrize(
    ("element", "name"),
    [
        *(("image", name) for name in ("caption", "geo_location", "title", "license")),
        *(("news", name) for name in ("access", "genres", "keywords", "stock_tickers")),
        *(("video", name) for name in ("category", "gallery_loc", "price", "tvshow")),
        *(("video", name) for name in ("player_loc allow_embed", "player_loc autoplay")),
    ],
)
def test_what_has_no_effect_any_more_is_a_note(element: str, name: str) -> None:
    extension = {"image": IMAGE, "news": news(), "video": video()}[element]
    tag, _, attribute = name.partition(" ")
    start = f'<{element}:{tag} {attribute}="yes">' if attribute else f"<{element}:{tag}>"
    end = f"</{element}:{element}>"
    (finding,) = found(extension.replace(end, f"{start}{BASE}x</{element}:{tag}>{end}"))
    assert (finding.code, finding.severity) == (f"{element}-unused", "note")
    assert finding.message.startswith(f"{attribute} of {tag}" if attribute else tag)


NAMES = st.sampled_from(["title", "duration", "rating", "view_count", "live", "player_loc", "expiration_date", "tag"])
VALUES = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=["C"], exclude_characters="<&"), max_size=20),
    st.integers().map(str),
    st.floats().map(str),
    st.just("9" * 5_000),
)


@given(st.lists(st.tuples(NAMES, VALUES), max_size=8))
def test_whatever_a_video_holds_it_is_judged(fields: list[tuple[str, str]]) -> None:
    inside = "".join(f"<video:{name}>{value.replace('>', '')}</video:{name}>" for name, value in fields)
    assert set(codes_of(f"<video:video>{inside}</video:video>")) <= {
        "video-incomplete",
        "video-value",
        "extension-repeated",
    }
