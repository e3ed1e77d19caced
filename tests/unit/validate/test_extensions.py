import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import BASE, NOW, examine, link, news, shown, url, urlset, video

from waypost.validate import Element, Finding, SitemapEntry
from waypost.validate.extensions import problems
from waypost.validate.sitemap_entry import VIDEO_NAMESPACE


def found(extension: str, path: str = "") -> list[Finding]:
    return examine(urlset(url(extension, path))).findings


def codes_of(extension: str) -> list[str]:
    return [each.code for each in found(extension)]


def facts(extension: str) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in found(extension)]


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
    ((code, message),) = facts(f"<xhtml:link {attributes}/>")
    assert code == "hreflang-link"
    assert why in message


def test_an_alternate_of_another_site_is_nobody_s_mistake() -> None:
    assert facts(link("en", "") + '<xhtml:link rel="alternate" hreflang="de" href="https://example.de/"/>') == []


def test_one_page_may_be_the_alternate_of_two_languages_and_not_the_other_way_round() -> None:
    assert facts(link("en", "") + link("en-GB", "")) == []
    assert [code for code, _ in facts(link("en", "") + link("EN", "b"))] == ["hreflang-repeated"]


def test_a_mistake_of_an_extension_is_told_at_its_own_line() -> None:
    ((each),) = found(f"\n{link('en', '')}\n\n{link('xx', 'b')}\n")
    assert (each.code, each.line, each.loc) == ("hreflang-code", 5, BASE)


IMAGE = f"<image:image><image:loc>{BASE}i.png</image:loc></image:image>"


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        (IMAGE + IMAGE, ""),
        (IMAGE.replace("i.png", "i%20j.png"), ""),
        (IMAGE.replace("i.png", "i j.png"), "image-loc"),
        (IMAGE.replace("i.png", "100%.png"), "image-loc"),
        (IMAGE.replace("</image:image>", f"<image:loc>{BASE}j.png</image:loc></image:image>"), "extension-repeated"),
        ("<image:title>x</image:title>", "extension-place"),
        ("<news:title>x</news:title>", "extension-place"),
        ("<video:title>x</video:title>", "extension-place"),
        ("<xhtml:a>x</xhtml:a>", "extension-place"),
        (news(), ""),
        (news() * 3, "extension-repeated"),
        (news().replace("<news:title>", "<news:title>A</news:title><news:title>"), "extension-repeated"),
        (video("") * 2, ""),
        (video("<video:tag>a</video:tag><video:tag>b</video:tag>"), ""),
        (video("<video:title>A</video:title>"), "extension-repeated"),
        (video('<video:restriction relationship="deny">US USA</video:restriction>'), "video-value"),
        (video('<video:restriction relationship="deny">us de</video:restriction>'), ""),
        (video('<video:platform relationship="allow">web phone</video:platform>'), "video-value"),
        (video('<video:platform relationship="allow">Web mobile TV</video:platform>'), ""),
        (link("es-419", ""), "hreflang-unsupported"),
        (link("eng", ""), "hreflang-unsupported"),
        (link("zh-Hant-TW", ""), ""),
    ],
    ids=shown,
)
def test_what_an_extension_has_is_in_its_place_once_and_known(inside: str, code: str) -> None:
    assert codes_of(inside) == ([code] if code else [])


def test_a_link_outside_of_a_url_is_read_by_nobody() -> None:
    assert examine(urlset(link("en", "") + url())).codes == ["extension-place"]


def test_a_page_map_is_read_by_google() -> None:
    page_map = '<PageMap xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0"><DataObject/></PageMap>'
    assert codes_of(page_map) == []


@pytest.mark.parametrize("name", ["caption", "geo_location", "title", "license"])
def test_what_images_no_longer_tell_is_noted(name: str) -> None:
    image = f"<image:image><image:loc>{BASE}i.png</image:loc><image:{name}>x</image:{name}></image:image>"
    assert facts(image) == [("image-unused", f"{name} has had no effect since 2022")]


def test_an_image_may_lie_on_another_host_and_not_nowhere() -> None:
    assert facts("<image:image><image:loc>https://cdn.example.net/i.png</image:loc></image:image>") == []
    assert [code for code, _ in facts("<image:image><image:loc>i.png</image:loc></image:image>")] == ["image-loc"]


def test_as_many_images_as_readers_take_are_no_mistake() -> None:
    image = f"<image:image><image:loc>{BASE}i.png</image:loc></image:image>"
    assert facts(image * 1_000) == []
    assert [code for code, _ in facts(image * 1_001)] == ["image-count"]


def test_all_that_news_lack_is_told() -> None:
    assert [message for _, message in facts("<news:news></news:news>")] == [
        "the news element has no publication_date",
        "the news element has no title",
        "the news element has no publication name",
        "the news element has no publication language",
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
    assert [code for code, _ in facts(news(date))] == codes


@pytest.mark.parametrize(
    ("language", "codes"),
    [("en", []), ("fil", []), ("zh-cn", []), ("zh-TW", []), ("en-GB", ["news-language"]), ("e", ["news-language"])],
)
def test_the_language_of_news_has_a_form_of_its_own(language: str, codes: list[str]) -> None:
    assert [code for code, _ in facts(news(language=language))] == codes


def test_all_that_a_video_lacks_is_told() -> None:
    assert [message for _, message in facts("<video:video></video:video>")] == [
        "the video has no thumbnail_loc",
        "the video has no title",
        "the video has no description",
        "the video has no content_loc or player_loc",
    ]


def test_a_video_needs_one_place_of_two() -> None:
    assert facts(video().replace("content_loc", "player_loc")) == []


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("duration", ("1", "600", "28800"), ("0", "28801", "10:00", "", "-1", "nan", "1_0", "1e3", "٣")),
        ("rating", ("0", "5", "5.0", "3.5", ".5"), ("5.1", "-1", "*****", "inf")),
        ("view_count", ("0", "1000000"), ("-1", "1,000", "many", "٣", "1.5")),
        ("family_friendly", ("yes", "No"), ("true", "")),
        ("requires_subscription", ("yes", "no"), ("0",)),
        ("live", ("YES", "no"), ("maybe",)),
        ("publication_date", ("2026-03-01", "2026-03-01T12:00:00Z"), ("yesterday", "2026-02-30")),
        ("expiration_date", ("2026-03-03", "2999-01-01"), ("2026-03-01", "never")),
        ("player_loc", ("https://example.net/v",), ("v.mp4", "rtsp://example.net/v")),
        ("tag", ("a", ""), ()),
    ],
)
def test_the_fields_of_a_video_have_their_values(name: str, right: tuple[str, ...], wrong: tuple[str, ...]) -> None:
    for value in right:
        assert facts(video(f"<video:{name}>{value}</video:{name}>")) == []
    for value in wrong:
        assert [code for code, _ in facts(video(f"<video:{name}>{value}</video:{name}>"))] == ["video-value"], value


def test_a_video_has_so_long_a_description_and_so_many_tags() -> None:
    assert facts(video().replace(">D<", f">{'d' * 2_048}<")) == []
    assert [code for code, _ in facts(video().replace(">D<", f">{'d' * 2_049}<"))] == ["video-value"]
    assert facts(video("<video:tag>t</video:tag>" * 32)) == []
    assert [code for code, _ in facts(video("<video:tag>t</video:tag>" * 33))] == ["video-value"]


NAMES = st.sampled_from(
    [
        "video",
        "title",
        "description",
        "duration",
        "rating",
        "view_count",
        "live",
        "player_loc",
        "expiration_date",
        "tag",
    ]
)
VALUES = st.one_of(st.text(max_size=20), st.integers().map(str), st.floats().map(str), st.just("9" * 5_000))


@given(st.lists(st.tuples(NAMES, VALUES), max_size=8))
def test_whatever_a_video_holds_it_is_judged(fields: list[tuple[str, str]]) -> None:
    below = [Element(VIDEO_NAMESPACE, name, 2, {}, value) for name, value in fields]
    entry = SitemapEntry(1, BASE, extensions=[Element(VIDEO_NAMESPACE, "video", 1, {}, children=below)])
    assert {code for code, _, _ in problems(entry, NOW)} <= {"video-incomplete", "video-value", "extension-repeated"}


@pytest.mark.parametrize(
    "inside",
    [
        "<video:player_loc>ftp://media.example.org/v</video:player_loc>",
        '<video:restriction relationship="allow">DE AT</video:restriction>',
        '<video:platform relationship="deny">tv</video:platform>',
        "<video:tag>t</video:tag>" * 32,
        f"<video:uploader>{'u' * 255}</video:uploader>",
    ],
    ids=shown,
)
def test_what_search_engines_accept_of_a_video_is_no_finding(inside: str) -> None:
    assert codes_of(video(inside)) == []


def test_the_content_of_a_video_may_be_on_an_ftp_server() -> None:
    assert codes_of(video().replace(f"{BASE}v.mp4", "ftp://media.example.org/v.mp4")) == []
    assert codes_of(video().replace(f"{BASE}v.mp4", "rtsp://media.example.org/v.mp4")) == ["video-value"]


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
    (finding,) = examine(urlset(url(video().replace(before, after)))).findings
    assert (finding.code, why in finding.message) == ("video-value", True)


@pytest.mark.parametrize(
    "name", ["category", "gallery_loc", "price", "tvshow", "player_loc allow_embed", "player_loc autoplay"]
)
def test_a_tag_of_a_video_that_has_no_effect_any_more_is_a_note(name: str) -> None:
    tag, _, attribute = name.partition(" ")
    attributes = f' {attribute}="yes"' if attribute else ""
    (finding,) = examine(urlset(url(video(f"<video:{tag}{attributes}>{BASE}x</video:{tag}>")))).findings
    assert (finding.code, finding.severity, tag in finding.message) == ("video-unused", "note", True)


@pytest.mark.parametrize("name", ["access", "genres", "keywords", "stock_tickers"])
def test_a_tag_of_news_that_has_no_effect_any_more_is_a_note(name: str) -> None:
    body = urlset(url(news().replace("</news:news>", f"<news:{name}>x</news:{name}></news:news>")))
    (finding,) = examine(body).findings
    assert (finding.code, finding.severity, name in finding.message) == ("news-unused", "note", True)


def test_a_variant_of_a_page_for_a_medium_repeats_no_language() -> None:
    small = link("de", "m").replace("hreflang", 'media="only screen and (max-width: 640px)" hreflang')
    assert codes_of(link("de", "") + small) == []
    assert codes_of(link("de", "") + small + small.replace(f"{BASE}m", f"{BASE}n")) == ["hreflang-repeated"]


@pytest.mark.parametrize("scheme", ["android-app", "ios-app"])
def test_a_link_to_an_app_is_no_alternate_in_a_language(scheme: str) -> None:
    app = f'<xhtml:link rel="alternate" href="{scheme}://com.example/https/www.example.org/"/>'
    assert codes_of(link("de", "") + app) == []
    assert codes_of(link("de", "") + app.replace("href=", 'hreflang="de" href=')) == []


def test_a_page_that_names_itself_in_another_spelling_is_one_of_its_alternates() -> None:
    assert codes_of(link("de", "").replace(BASE, "https://WWW.example.org:443")) == []


def test_a_long_alternate_that_is_repeated_is_brought_into_its_normal_form_once() -> None:
    long = link("de", "%61" * 300_000)
    assert len(codes_of(long + link("de", "b") * 15_000)) == 100 + 1


@pytest.mark.parametrize(
    ("duration", "is_valid"),
    [("60", True), ("60.", False), ("12.5", False), (".5", False), ("-1", False), ("1" * 60_000 + "x", False)],
)
def test_a_duration_is_a_whole_number_of_any_length(duration: str, *, is_valid: bool) -> None:
    found = codes_of(video(f"<video:duration>{duration}</video:duration>"))
    assert ("video-value" not in found) is is_valid
