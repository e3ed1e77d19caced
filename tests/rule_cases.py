"""The files of the rules' corpus.

Add a file under a new name; a recorded name keeps its content, so that a changed outcome always means a changed rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from rule_corpus import Case


def _html(head: str = "", body: str = "<p>Some text.</p>", title: str = "A title", lang: str = "") -> bytes:
    attribute = f' lang="{lang}"' if lang else ""
    document = f"<!doctype html><html{attribute}><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    return document.encode()


def _robots(content: str, name: str = "robots") -> str:
    return f'<meta name="{name}" content="{content}">'


def _canonical(href: str) -> str:
    return f'<link rel="canonical" href="{href}">'


def _script(json: str) -> str:
    return f'<script type="application/ld+json">{json}</script>'


KEYS = (
    *("index.html", "a.html", "a.htm", "A.HTML", "b.xhtml", "docs/index.html", "docs/index.htm", "docs/home.html"),
    *("docs/a.pdf", "docs/a.PDF", "docs/api/a.html", "blog/post.html", "a.md", "docs/README.md", "docs/a.markdown"),
    *("a", "a.txt", "style.css", "image.png", "sitemap.xml", "sitemap.txt", "sitemap.html", "sitemap.xml.gz"),
    *("sitemap-0123456789abcdef.xml", "sitemap-pages.xml", "sitemap-news.xml", "sitemap.css", "map.xml", "robots.txt"),
    *("sitemap-other.html", "sub/sitemap.xml", "map-blog-0123456789abcdef.txt", "map-index-0123456789abcdef.xml"),
    *(".hidden.html", ".git/a.html", ".well-known/a.html", "a/.b/c.html", "node_modules/a/index.html"),
    *("a/node_modules/b.html", "_draft.html", "_drafts/a.html", "_kept.html", "_kept.md", "drafts/a.html"),
    *("docs/drafts/a.html", "old.bak.html", "docs/.well-known/x.css", "404.html", "de/404.html", "docs/404.html"),
    *("500.html", "de/500.html", "docs/500.html", "error.html", "errors/503.html", "error/index.html", "50x.html"),
    *("404/index.html", "403/index.html", "pt-br/404.html", "4xx.html", "private/a.html", "private/open.html"),
    *("with space.html", "100%.html", "a%20b.html", "a+b.html", "ümlaut.html", "日本/語.html", "a&b'c\"d<e>.html"),
    *("a?b#c.html", "a;b,c=d.html", "tilde~.html", "(x)[y]{z}|.html", "back\\slash.html", "a//b.html", "a/../b.html"),
    *("control\x01.html", "line\nbreak.html", "nbsp\xa0.html", "sep\u2028.html", "bad\udcff.html", "e\u0301.html"),
    *("x" * 1_000 + ".html", "é" * 700 + ".html", "x" * 2_100 + ".html", ".html", "docs/.html", "a.html/", "a.shtml"),
    *("index.html/index.html", "INDEX.HTML", "docs/Index.html", "a.html.html", "a.tar.gz", "docs/a.md.html", "README"),
)

_HEADS = {
    "noindex": _robots("noindex"),
    "noindex among words": _robots("follow, NOINDEX ,noarchive"),
    "none": _robots("None"),
    "name in capitals": _robots("noindex", "ROBOTS"),
    "noimageindex": _robots("noimageindex, max-snippet:-1"),
    "another crawler": _robots("noindex", "googlebot"),
    "several robots": _robots("index") + _robots("noindex"),
    "robots in a comment": f"<!-- {_robots('noindex')} -->",
    "robots in a template": f"<template>{_robots('noindex')}</template>",
    "robots in noscript": f"<noscript>{_robots('noindex')}</noscript>",
    "robots with entities": _robots("no&#105;ndex"),
    "robots without quotes": "<meta name=robots content=noindex>",
    "duplicate attributes": '<meta name="robots" content="index" content="noindex">',
    "refresh": '<meta http-equiv="refresh" content="0; url=https://example.org/b.html">',
    "refresh elsewhere": '<meta http-equiv="Refresh" content="5;URL=\'https://other.example/\'">',
    "refresh to itself": '<meta http-equiv="refresh" content="300">',
    "refresh to its own url": '<meta http-equiv="refresh" content="0; url=/case.html">',
    "refresh of a comma": '<meta http-equiv="refresh" content="0,b.html">',
    "canonical itself": _canonical("https://example.org/case.html"),
    "canonical relative": _canonical("case.html"),
    "canonical another": _canonical("/b.html"),
    "canonical variant": _canonical("https://example.org/case"),
    "canonical with slash": _canonical("https://example.org/case/"),
    "canonical elsewhere": _canonical("https://other.example/case.html"),
    "canonical by http": _canonical("http://example.org/case.html"),
    "canonical with www": _canonical("https://www.example.org/case.html"),
    "canonical with a port": _canonical("https://example.org:443/case.html"),
    "canonical with a query": _canonical("/case.html?a=1"),
    "canonical with a fragment": _canonical("/case.html#top"),
    "canonicals that agree": _canonical("/b.html") + _canonical("b.html"),
    "canonicals that differ": _canonical("/b.html") + _canonical("/c.html"),
    "canonical empty": _canonical(" "),
    "canonical by mail": _canonical("mailto:a@example.org"),
    "canonical below a base": '<base href="/docs/">' + _canonical("b.html"),
    "rel of several words": '<link rel="Canonical alternate" hreflang="de" href="/b.html">',
    "modified time": '<meta property="article:modified_time" content="2026-01-05T10:00:00+02:00">',
    "last-modified": '<meta name="last-modified" content="2026-01-05">',
    "a date to come": '<meta property="article:modified_time" content="2031-01-05">',
    "a date that is none": '<meta property="article:modified_time" content="2026-02-30">',
    "a date in json": _script('{"@type":"Article","dateModified":"2025-12-24T00:00:00Z"}'),
    "a date deep in json": _script('{"@graph":[{"@type":"WebPage","mainEntity":{"dateModified":"2025-12-24"}}]}'),
    "json that is none": _script('{"dateModified": '),
    "hreflang": '<link rel="alternate" hreflang="de" href="/de/case.html"><link rel="alternate" hreflang="en" href="">'
    '<link rel="alternate" hreflang="x-default" href="case.html"><link rel="alternate" hreflang="EN-us" href="/en/">',
    "a feed": '<link rel="alternate" type="application/atom+xml" href="/feed.xml">',
    "news": '<meta property="article:published_time" content="2026-02-28T10:00:00Z">'
    '<meta property="og:title" content="What  &amp; happened">',
    "old news": '<meta name="date" content="2020-02-28">',
    "news in json": _script('{"@type":"NewsArticle","headline":"Said \\ud83d","datePublished":"2026-03-01"}'),
    "shared image": '<meta property="og:image" content="/shared.png"><meta property="og:image:url" content="/two.png">',
    "video in json": _script(
        '{"@type":["VideoObject"],"name":"V","description":"D","thumbnailUrl":["/t.jpg"],"contentUrl":"/v.mp4",'
        '"embedUrl":"https://player.example/1","duration":"PT1M30S","uploadDate":"2026-01-01","isFamilyFriendly":"No"}'
    ),
    "everything against it": _robots("noindex")
    + _canonical("/b.html")
    + '<meta http-equiv=refresh content="0;url=/c">',
    "refresh and canonical": _canonical("/b.html") + '<meta http-equiv=refresh content="0;url=/c">',
}
_BODIES = {
    "text": "<p>One</p><p>Two <b>th</b>ree</p><!-- no --><script>no()</script><style>no{}</style>"
    "<noscript>no</noscript>",
    "images": '<img src="a.png"><img src="data:image/gif;base64,x"><img src="/p.gif" width="1" height=1>'
    '<img src="small.png" srcset="small.png 1x, big.png 2x"><img src=x.gif data-src="lazy.png">'
    '<picture><source srcset="p-1.webp 100w,p-2.webp 900w"></picture><img src="//cdn.example.net/c.png">'
    '<img src="https://a.img.example/i.png"><img src="https://elsewhere.example/e.png"><input type=image src=i.png>',
    "a video": '<video src="/m.mp4" poster="/m.jpg" title="M"></video><video poster=x.jpg><source src=y.webm></video>',
    "robots in the body": _robots("noindex"),
}
_WHOLE = {
    "nothing": b"",
    "no head": b"<p>Text",
    "head after the head": b"<html><head></head>" + _robots("noindex").encode() + b"<body>x",
    "head that never ends": b"<title>x" + b"x" * 20_000,
    "a late robots": b"<head>" + b"<!-- x -->" * 2_000 + _robots("noindex").encode() + b"</head><body>",
    "utf-16": "\ufeff<meta name=robots content=noindex>".encode("utf-16-le"),
    "latin-1": b'<meta charset="iso-8859-1"><title>\xe9\x80</title><body>\xfc',
    "undeclared bytes": b"<title>\xff\xfe</title><body>\x80",
    "shift_jis": '<meta charset="shift_jis"><title>日本</title>'.encode("shift_jis"),
    "an unknown charset": b'<meta charset="x-none"><title>\xc3\xa9</title>',
    "nested too deeply": b"<b>" * 25_000,
    "a binary": bytes(range(256)),
}
_FRONT = {
    "yaml": "---\ntitle: A\ndate: 2026-01-02\n---\nText",
    "toml": '+++\ndraft = true\nlastmod = "2026-01-03T00:00:00Z"\n+++\n',
    "draft": "---\ndraft: yes\n---\n",
    "not published": "---\npublished: false # later\n---\n",
    "not in the sitemap": "---\r\nsitemap: 'no'\r\n---\r\n",
    "robots": '---\nrobots: "noindex, follow"\n---\n',
    "permalink": "---\npermalink: /elsewhere/\n---\n",
    "slug": "---\nslug: other\n---\n",
    "a table": '+++\ntitle = "x"\n[params]\ndraft = true\n+++\n',
    "several dates": "---\ndate: 2020-01-01\nlast_modified_at: 2026-02-02 10:00:00 +0000\n---\n",
    "none": "# Just text\n",
    "unclosed": "---\ndraft: true\n",
    "a mark": "\ufeff---\ndraft: true\n---\n",
}
_HEADERS = {
    "redirect": ("/b.html", ""),
    "header noindex": ("", "noindex"),
    "header of one crawler": ("", "googlebot: noindex"),
    "header of several words": ("", "noarchive, none"),
    "header that keeps": ("", "max-snippet:5"),
    "redirect and header": ("https://other.example/", "noindex"),
}


def cases() -> Iterator[Case]:
    """Every file of the corpus."""
    for key in KEYS:
        yield Case(f"key {ascii(key)[1:-1][:60]}", key, _html())
    for name, head in _HEADS.items():
        yield Case(f"head {name}", "case.html", _html(head))
    for name, body in _BODIES.items():
        yield Case(f"body {name}", "case.html", _html('<meta name="description" content="D">', body, lang="en"))
    for name, data in _WHOLE.items():
        yield Case(f"file {name}", "case.html", data)
    for name, text in _FRONT.items():
        yield Case(f"front matter {name}", "case.md", text.encode())
    for name, (redirect, robots) in _HEADERS.items():
        yield Case(f"object {name}", "case.html", _html(), redirect, robots)
        yield Case(f"object {name}, pdf", "case.pdf", b"%PDF", redirect, robots)
