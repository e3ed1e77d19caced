"""Rules for the extensions: hreflang, images, news, videos."""

from waypost.validate.rules.rule import ERROR, GOOGLE, NOTE, WARNING, Rule

_HREFLANG = "Google, Localized versions of your pages"
_IMAGES = "Google, Image sitemaps"
_NEWS = "Google, News sitemaps"
_VIDEO = "Google, Video sitemaps"

HREFLANG_RULES = (
    Rule(
        "hreflang-code",
        WARNING,
        "{value!r} is not a valid hreflang: {why}",
        "use a language of ISO 639-1, followed by a script or a region if needed, or x-default",
        _HREFLANG,
        'hreflang="en-UK"',
    ),
    Rule(
        "hreflang-unsupported",
        WARNING,
        "the alternate for {value} may be ignored: {why}",
        "use a language of ISO 639-1, alone or with a country",
        _HREFLANG,
        'hreflang="es-419"',
    ),
    Rule(
        "hreflang-link",
        WARNING,
        "an alternate cannot be used: {why}",
        'write rel="alternate", hreflang and an absolute href',
        _HREFLANG,
        '<xhtml:link rel="alternate" hreflang="de"/>',
    ),
    Rule(
        "hreflang-repeated",
        WARNING,
        "the page has two alternates for {value}: {first} and {second}",
        "name one page for each language",
        _HREFLANG,
        'hreflang="de" twice',
    ),
    Rule(
        "hreflang-self",
        WARNING,
        "the page is not one of its own alternates",
        "add the page itself to its alternates",
        _HREFLANG,
        "the page is not among its alternates",
    ),
    Rule(
        "hreflang-unreturned",
        WARNING,
        "{href} is the page's alternate for {value}, but does not link back, so search engines ignore both",
        "list the same alternates for each of the pages",
        _HREFLANG,
        "A names B, and B does not name A",
    ),
)
PLACE_RULES = (
    Rule(
        "extension-place",
        WARNING,
        "{name} is not allowed in {where}, and search engines do not read it there",
        "write it in {right}",
        GOOGLE,
        "<url><image:loc>…</image:loc></url>",
    ),
    Rule(
        "extension-repeated",
        WARNING,
        "{name} occurs more than once in {where}; search engines read one",
        "keep one, or write another {where}",
        GOOGLE,
        "<news:news>…</news:news><news:news>…</news:news>",
    ),
)
IMAGE_RULES = (
    Rule(
        "image-loc",
        WARNING,
        "an image has no valid loc: {why}",
        "write the image's absolute URL",
        _IMAGES,
        "<image:image></image:image>",
    ),
    Rule(
        "image-count",
        WARNING,
        "the page has {count:,} images, but search engines read {most:,}",
        "list the most important ones",
        _IMAGES,
        "1,001 `image:image`",
    ),
    Rule(
        "image-unused",
        NOTE,
        "{name} has had no effect since 2022",
        "write only image:loc",
        _IMAGES,
        "<image:caption>…</image:caption>",
    ),
)
NEWS_RULES = (
    Rule(
        "news-incomplete",
        ERROR,
        "the news element has no {name}",
        "add publication (name and language), publication_date and title",
        _NEWS,
        "<news:news></news:news>",
    ),
    Rule(
        "news-language",
        WARNING,
        "{value!r} is not a valid news language",
        "use an ISO 639 code of two or three letters; for Chinese, zh-cn or zh-tw",
        _NEWS,
        "<news:language>english</news:language>",
    ),
    Rule(
        "news-date",
        WARNING,
        "{value!r} is not a valid publication date: {why}",
        "write when the article was first published, as a W3C datetime",
        _NEWS,
        "<news:publication_date>today</news:publication_date>",
    ),
    Rule(
        "news-old",
        WARNING,
        "the article was published on {value}, but a news sitemap lists articles of the last two days",
        "remove it from the news sitemap; another sitemap may list it",
        _NEWS,
        "a publication_date a week ago",
    ),
    Rule(
        "news-count",
        ERROR,
        "the file lists {count:,} news articles, but the limit is {most:,}",
        "split it into several sitemaps",
        _NEWS,
        "1,001 `news:news`",
    ),
    Rule(
        "news-unused",
        NOTE,
        "{name} has no effect any more",
        "remove it",
        _NEWS,
        "<news:keywords>…</news:keywords>",
    ),
)
VIDEO_RULES = (
    Rule(
        "video-incomplete",
        ERROR,
        "the video has no {name}",
        "add thumbnail_loc, title, description, and content_loc or player_loc",
        _VIDEO,
        "<video:video></video:video>",
    ),
    Rule(
        "video-value",
        WARNING,
        "{name} is {value!r}: {why}",
        "correct it, or remove it",
        _VIDEO,
        "<video:duration>0</video:duration>",
    ),
    Rule(
        "video-unused",
        NOTE,
        "{name} has had no effect since 2022",
        "remove it",
        _VIDEO,
        "<video:category>…</video:category>",
    ),
)
