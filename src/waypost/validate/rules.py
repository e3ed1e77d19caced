"""Every rule that a sitemap can break: its code, how grave that is, and where the rule comes from."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct


class Severity(StrEnum):
    """How grave a finding is: readers drop what is an error, ignore or distrust what is a warning."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Rule(Struct, frozen=True):
    """One thing that can be wrong; `says` is filled with what was seen, `example` is input that shows it."""

    code: str
    severity: Severity
    meaning: str
    advice: str
    source: str
    example: str


_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE
_PROTOCOL = "sitemaps.org 0.9"
_LOC = f"{_PROTOCOL}, loc"
_LASTMOD = f"{_PROTOCOL}, lastmod"
_SCOPE = f"{_PROTOCOL}, Sitemap file location"
_INDEX = f"{_PROTOCOL}, Using Sitemap index files"
_ESCAPING = f"{_PROTOCOL}, Entity escaping"
_XML = f"{_PROTOCOL}, XML tag definitions"
SCHEMA = f"{_PROTOCOL}, schema"
"""The source of the rules that only a schema would refuse a file for."""
_TEXT = f"{_PROTOCOL}, Text file"
_GOOGLE = "Google, Build and submit a sitemap"
_HREFLANG = "Google, Localized versions of your pages"
_IMAGES = "Google, Image sitemaps"
_NEWS = "Google, News sitemaps"
_VIDEO = "Google, Video sitemaps"

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        code: Rule(code, severity, says, advice, source, example)
        for code, severity, says, advice, source, example in (
            # the file
            (
                "unreadable",
                _E,
                "it cannot be read: {why}",
                "readers that meet this know nothing of what it lists",
                _GOOGLE,
                "a URL that answers 404",
            ),
            (
                "moved",
                _W,
                "it redirects to {to}",
                "name the place where it is",
                _GOOGLE,
                "a URL that answers 301",
            ),
            (
                "not-a-sitemap",
                _E,
                "it is no sitemap: {what}",
                "name a sitemap, an index, a text file, or an RSS or Atom feed",
                _PROTOCOL,
                "<html>",
            ),
            (
                "not-well-formed",
                _E,
                "it is not well-formed XML: {why}",
                "escape `&` and `<`, close each tag, and see that the file is whole",
                _ESCAPING,
                "<loc>https://www.example.org/?a&b</loc>",
            ),
            (
                "entity",
                _E,
                "it uses or declares the entity {name}; nothing behind it was read",
                "write the text itself",
                f"{_ESCAPING}; XML 1.0, 4.2",
                '<!DOCTYPE urlset [<!ENTITY a "b">]>',
            ),
            (
                "doctype",
                _W,
                "it has a document type, which the protocol knows none of",
                "take the line out",
                _XML,
                "<!DOCTYPE urlset>",
            ),
            (
                "wrong-encoding",
                _E,
                "it is {encoding}, and a sitemap must be UTF-8",
                "save the file as UTF-8",
                _ESCAPING,
                '<?xml version="1.0" encoding="ISO-8859-1"?>',
            ),
            (
                "byte-order-mark",
                _W,
                "it begins with a byte-order mark, which some readers take for text",
                "save the file as UTF-8 without one",
                _ESCAPING,
                "EF BB BF before the first character",
            ),
            (
                "too-large",
                _E,
                "it has {size:,} bytes uncompressed or more, and may have {most:,}",
                "split it into several and list those in an index",
                _PROTOCOL,
                "a file of 60 MB",
            ),
            (
                "large",
                _N,
                "it has {size:,} bytes uncompressed, more than the {most:,} that 0.9 first allowed",
                "split it where older readers matter",
                _PROTOCOL,
                "a file of 20 MB",
            ),
            (
                "too-many-urls",
                _E,
                "it lists {count:,} URLs or more, and may list {most:,}",
                "split it into several and list those in an index",
                _PROTOCOL,
                "50,001 `url`",
            ),
            (
                "too-many-sitemaps",
                _E,
                "it lists {count:,} sitemaps or more, and may list {most:,}",
                "split it, and name each index in robots.txt",
                _INDEX,
                "50,001 `sitemap`",
            ),
            (
                "many-sitemaps",
                _N,
                "it lists {count:,} sitemaps, more than the {most:,} that 0.9 first allowed",
                "split it where older readers matter",
                _INDEX,
                "1,001 `sitemap`",
            ),
            (
                "gzip-damaged",
                _E,
                "its gzip data is damaged: {why}",
                "compress it anew; perhaps it was cut short on the way",
                "RFC 1952",
                "half of a .gz file",
            ),
            (
                "not-compressed",
                _N,
                "its name ends with .gz and it is not compressed",
                "compress it, or take .gz from its name",
                "RFC 1952",
                "XML named sitemap.xml.gz",
            ),
            ("empty", _E, "it lists nothing", "list a page, or remove the file", SCHEMA, "<urlset></urlset>"),
            # its elements
            (
                "wrong-namespace",
                _E,
                "the namespace of {name} is {found!r}",
                "the right one is {right}",
                _XML,
                '<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9">',
            ),
            (
                "unknown-namespace",
                _N,
                "{name} is of a namespace that no reader is known to read, {found!r}",
                "leave it out if nothing of yours reads it",
                _GOOGLE,
                '<x:rank xmlns:x="urn:x">1</x:rank>',
            ),
            (
                "unknown-element",
                _W,
                "{name} is not known in {where}",
                "known are {known}",
                SCHEMA,
                "<url><loc>…</loc><title>Home</title></url>",
            ),
            (
                "unknown-attribute",
                _N,
                "{name} has the attribute {attribute}, which the protocol does not know",
                "leave it out",
                SCHEMA,
                '<url id="1">',
            ),
            (
                "element-order",
                _W,
                "{name} stands behind {before}",
                "the order is loc, lastmod, changefreq, priority, then extensions",
                SCHEMA,
                "<lastmod>…</lastmod><loc>…</loc>",
            ),
            (
                "element-repeated",
                _W,
                "{name} stands there more than once; the first counts",
                "leave one",
                SCHEMA,
                "<loc>…</loc><loc>…</loc>",
            ),
            (
                "stray-text",
                _W,
                "text stands between the elements: {text!r}",
                "take it out",
                SCHEMA,
                "<url>Home<loc>…</loc></url>",
            ),
            ("missing-loc", _E, "an entry has no loc", "give it one, or take it out", _LOC, "<url></url>"),
            (
                "nested-index",
                _E,
                "the index lists another index",
                "list its sitemaps here, or name both indexes in robots.txt",
                _INDEX,
                "an index in an index",
            ),
            (
                "changefreq",
                _W,
                "{value!r} is no changefreq",
                "always, hourly, daily, weekly, monthly, yearly or never",
                f"{_PROTOCOL}, changefreq",
                "<changefreq>often</changefreq>",
            ),
            (
                "priority",
                _W,
                "{value!r} is no priority",
                "a number from 0.0 to 1.0",
                f"{_PROTOCOL}, priority",
                "<priority>5</priority>",
            ),
            # a loc
            (
                "loc-relative",
                _E,
                "{loc!r} is not an absolute URL",
                "begin with http:// or https:// and the host",
                _LOC,
                "<loc>/about.html</loc>",
            ),
            (
                "loc-scheme",
                _E,
                "{scheme} is no scheme of a page",
                "http or https",
                _LOC,
                "<loc>ftp://www.example.org/</loc>",
            ),
            (
                "loc-too-long",
                _E,
                "it has {length:,} characters, and must have fewer than {most:,}",
                "shorten it",
                _LOC,
                "2,048 characters or more",
            ),
            (
                "loc-host",
                _E,
                "it is of another host than {of}, {host}",
                "list it in a sitemap of its own host, or name this one in that host's robots.txt",
                _SCOPE,
                "<loc>https://example.net/</loc>",
            ),
            (
                "loc-protocol",
                _E,
                "it is of another scheme than {of}, {scheme}",
                "list the form under which the site is served",
                _SCOPE,
                "http: in a sitemap at https:",
            ),
            (
                "loc-above",
                _E,
                "it lies outside the sitemap's own folder, {folder}",
                "move the sitemap up to the folder that holds all it lists",
                _SCOPE,
                "/a.html in /blog/sitemap.xml",
            ),
            (
                "loc-user-info",
                _E,
                "it holds a user's name or password",
                "leave out what stands before @",
                "RFC 3986, 3.2.1",
                "<loc>https://me@www.example.org/</loc>",
            ),
            (
                "loc-host-name",
                _E,
                "{host!r} is no name of a host",
                "write the host in its ASCII form",
                "RFC 3986, 3.2.2",
                "<loc>https://exa mple.org/</loc>",
            ),
            (
                "loc-fragment",
                _W,
                "it has a fragment, which readers cut off",
                "list the page without what begins with #",
                "RFC 3986, 3.5",
                "<loc>https://www.example.org/#top</loc>",
            ),
            (
                "loc-space",
                _E,
                "it holds white space",
                "write %20 for a space",
                _ESCAPING,
                "<loc>https://www.example.org/a b</loc>",
            ),
            (
                "loc-padded",
                _N,
                "white space stands around it",
                "take it out; most readers do so themselves",
                _LOC,
                "<loc> https://www.example.org/ </loc>",
            ),
            (
                "loc-backslash",
                _E,
                "it holds a backslash",
                "write /, or %5C where a backslash is meant",
                _ESCAPING,
                "<loc>https://www.example.org/a\\b</loc>",
            ),
            (
                "loc-character",
                _E,
                "it holds {character!r}, which no URL may hold as it is",
                "percent-encode it",
                "RFC 3986, 2",
                "<loc>https://www.example.org/{a}</loc>",
            ),
            (
                "loc-not-ascii",
                _W,
                "it holds {character!r} as it is",
                "percent-encode its UTF-8 bytes: {encoded}",
                _ESCAPING,
                "<loc>https://www.example.org/ü</loc>",
            ),
            (
                "loc-percent",
                _E,
                "{found!r} is no percent-encoding",
                "two hexadecimal digits follow a %; a % itself is %25",
                "RFC 3986, 2.1",
                "<loc>https://www.example.org/100%</loc>",
            ),
            (
                "loc-encoded-twice",
                _W,
                "{found!r} looks as if it were percent-encoded twice",
                "encode once",
                _ESCAPING,
                "<loc>https://www.example.org/a%2520b</loc>",
            ),
            (
                "loc-dots",
                _W,
                "it holds `.` or `..` as a folder, which readers resolve",
                "list the URL without it",
                "RFC 3986, 5.2.4",
                "<loc>https://www.example.org/a/../b</loc>",
            ),
            (
                "duplicate",
                _W,
                "it is listed already, in line {first}",
                "list it once",
                _PROTOCOL,
                "one loc twice in a file",
            ),
            (
                "duplicate-elsewhere",
                _W,
                "it is listed already, in {other}, line {first}",
                "list it in one sitemap",
                _PROTOCOL,
                "one loc in two files",
            ),
            (
                "child-elsewhere",
                _E,
                "the index lists a sitemap of another site than {of}",
                "list sitemaps of the index's own scheme and host",
                _INDEX,
                "a child at https://example.net/",
            ),
            (
                "child-above",
                _E,
                "the index lists a sitemap outside its own folder, {folder}",
                "move the index up, or the sitemap down",
                _INDEX,
                "/sitemap-a.xml in /maps/index.xml",
            ),
            (
                "feed-link",
                _W,
                "an entry of the feed has no link",
                "give it one, or readers pass it over",
                f"{_PROTOCOL}, Syndication feed",
                "<item><title>…</title></item>",
            ),
            (
                "text-line",
                _E,
                "{text!r} is no URL",
                "a text sitemap holds one URL a line, and nothing else",
                _TEXT,
                "# pages",
            ),
            # dates
            (
                "date-form",
                _W,
                "{value!r} is no W3C datetime",
                "write 2026-03-01, or 2026-03-01T12:00:00+00:00",
                _LASTMOD,
                "<lastmod>1 March 2026</lastmod>",
            ),
            (
                "date-impossible",
                _W,
                "{value!r} is no time that there is",
                "write a day and an hour of the calendar",
                _LASTMOD,
                "<lastmod>2026-02-30</lastmod>",
            ),
            (
                "date-future",
                _W,
                "{value} lies in the future",
                "write when the page last changed",
                _LASTMOD,
                "<lastmod>2999-01-01</lastmod>",
            ),
            (
                "dates-all-equal",
                _W,
                "all {count:,} dates are {value}",
                "write when each page last changed, or leave out what is not known",
                "Google, lastmod only if it is consistently right",
                "every lastmod the same",
            ),
            (
                "dates-of-generation",
                _W,
                "{count:,} of {all:,} dates are the time at which the file was made, {value}",
                "write when each page last changed, not when the sitemap did",
                "Bing, dates that equal the time of generation",
                "every lastmod within ten seconds of Last-Modified",
            ),
            (
                "child-date",
                _W,
                "the index says that it last changed at {index}, and it lists a page that changed at {page}",
                "write the time of the file's last change into the index",
                _INDEX,
                "an index entry older than its sitemap's pages",
            ),
            # languages
            (
                "hreflang-code",
                _W,
                "{value!r} is no hreflang: {why}",
                "a language of ISO 639-1, then a script or region if need be, or x-default",
                _HREFLANG,
                'hreflang="en-UK"',
            ),
            (
                "hreflang-link",
                _W,
                "an alternate is not complete: {why}",
                'write rel="alternate", hreflang and an absolute href',
                _HREFLANG,
                '<xhtml:link rel="alternate" hreflang="de"/>',
            ),
            (
                "hreflang-repeated",
                _W,
                "two alternates of it are {value}: {first} and {second}",
                "name one page for each language",
                _HREFLANG,
                'hreflang="de" twice',
            ),
            (
                "hreflang-self",
                _W,
                "its alternates do not list itself",
                "list the page among its own alternates",
                _HREFLANG,
                "the page is not among its alternates",
            ),
            (
                "hreflang-unreturned",
                _W,
                "{href} is its alternate in {value} and does not name it back, so readers ignore both",
                "list the same alternates for each of the pages",
                _HREFLANG,
                "A names B, and B does not name A",
            ),
            # images, news, videos
            (
                "image-loc",
                _W,
                "an image has no loc that can be read: {why}",
                "give the image's absolute URL",
                _IMAGES,
                "<image:image></image:image>",
            ),
            (
                "image-count",
                _W,
                "it has {count:,} images, and readers take {most:,}",
                "list the most important",
                _IMAGES,
                "1,001 `image:image`",
            ),
            (
                "image-unused",
                _N,
                "{name} has had no effect since 2022",
                "write image:loc alone",
                _IMAGES,
                "<image:caption>…</image:caption>",
            ),
            (
                "news-incomplete",
                _E,
                "its news lack {name}",
                "publication (name and language), publication_date and title are needed",
                _NEWS,
                "<news:news></news:news>",
            ),
            (
                "news-language",
                _W,
                "{value!r} is no language of news",
                "ISO 639, two or three letters; zh-cn and zh-tw for Chinese",
                _NEWS,
                "<news:language>english</news:language>",
            ),
            (
                "news-date",
                _W,
                "{value!r} is no date of news: {why}",
                "write when it was first published, as a W3C datetime",
                _NEWS,
                "<news:publication_date>today</news:publication_date>",
            ),
            (
                "news-old",
                _W,
                "it was published on {value}, and news are those of the last two days",
                "take it out of the news sitemap; it may stay in another",
                _NEWS,
                "a publication_date a week ago",
            ),
            (
                "news-count",
                _E,
                "it lists {count:,} news, and may list {most:,}",
                "split it into several",
                _NEWS,
                "1,001 `news:news`",
            ),
            (
                "video-incomplete",
                _E,
                "its video lacks {name}",
                "thumbnail_loc, title, description, and content_loc or player_loc are needed",
                _VIDEO,
                "<video:video></video:video>",
            ),
            (
                "video-value",
                _W,
                "{name} is {value!r}: {why}",
                "correct it, or leave it out",
                _VIDEO,
                "<video:duration>0</video:duration>",
            ),
            # beside the site
            (
                "listed-missing",
                _E,
                "the site holds no such page",
                "take it out, or publish the page",
                _GOOGLE,
                "a loc whose file is not there",
            ),
            (
                "listed-noindex",
                _E,
                "the page says {detail}",
                "take it out, or let the page be indexed",
                _GOOGLE,
                '<meta name="robots" content="noindex">',
            ),
            (
                "listed-redirect",
                _E,
                "the page sends readers on to {detail}",
                "list the page that they are sent to",
                _GOOGLE,
                '<meta http-equiv="refresh" content="0; url=…">',
            ),
            (
                "listed-not-canonical",
                _W,
                "the page names {detail} as canonical",
                "list the canonical page",
                _GOOGLE,
                '<link rel="canonical" href="…">',
            ),
            (
                "listed-disallowed",
                _E,
                "robots.txt keeps every crawler from it",
                "take it out, or allow it",
                "RFC 9309",
                "Disallow: /private/",
            ),
            (
                "listed-variant",
                _W,
                "the site gives that page another URL, {detail}",
                "list that one; or set drop_html, trailing_slash or index_files to the form that is served",
                _GOOGLE,
                "/about where the page is /about.html",
            ),
            (
                "listed-left-out",
                _N,
                "the site's settings leave it out: {detail}",
                "take it out, or change the settings",
                "waypost.toml",
                "a loc that `exclude` matches",
            ),
            (
                "unlisted",
                _W,
                "the page is there and in no sitemap that was checked",
                "list it, or mark it noindex",
                _GOOGLE,
                "a page that no sitemap lists",
            ),
        )
    }
)
