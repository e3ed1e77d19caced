"""The warnings to the owner of a site: the sentence of each code. The files that it is about follow it."""

MESSAGES = {
    "foreign-canonical": (
        "rel=canonical names a URL outside base_url, and the page is listed nevertheless; usually base_url is wrong "
        '(foreign_canonical = "skip" leaves such pages out)'
    ),
    "canonical-variant": (
        "rel=canonical names the same page by another form of its URL, so the page was left out; set drop_html, "
        "trailing_slash or index_files so that Waypost lists the form that the page names"
    ),
    "shallow": (
        "no date, because this clone is shallow; fetch the history (in a workflow: `fetch-depth: 0` for "
        "actions/checkout, or `fetch-history: true` for Waypost; by hand: `git fetch --unshallow --filter=blob:none`)"
    ),
    "uncommitted": "no date, because the page or one of its source files has changes that are not committed",
    "untracked": (
        "no date, because Git does not track the page; for a built site set `preset` or `sources`, or "
        'lastmod = "content" with a state'
    ),
    "submodule": (
        "no date, because the page is in a submodule, which has a history of its own; build that folder's sitemaps "
        "separately, or set `page_dates`"
    ),
    "sourceless": (
        "no date, because Git tracks no file that `preset` or `sources` name for the page; add a row to `sources`"
    ),
    "future-commit": "no date, because the time of the page's last commit is in the future, or cannot be read",
    "future-date": "the date that the page gives itself is in the future, so it was ignored",
    "alternates-contradict": (
        "pages that are versions of one another name different ones; for all of them, those that most name were listed"
    ),
    "alternate-unlisted": "an alternate is on this site but not listed, so it was left out",
    "alternate-unreturned": "an alternate does not name the page back, so search engines ignore it; it was left out",
    "hreflang-code": "an hreflang is not a language code, so it was left out",
    "unreadable": "the page could not be read, so it was left out",
    "robots-unreadable": "robots.txt could not be read, so its rules were ignored",
    "robots-stale": (
        "robots.txt names a sitemap that was removed; delete the line, or set `robots_sitemaps` to keep such lines up "
        "to date"
    ),
    "robots-not-at-root": (
        "the rules of robots.txt were ignored: crawlers read it only at the host's root, and base_url is a folder "
        "below it"
    ),
    "jekyll-layouts": (
        "the URLs were derived from a Jekyll source, where noindex and rel=canonical in layouts and themes cannot be "
        "seen; if yours have them, build the site and point Waypost at its output, usually _site"
    ),
    "jekyll-plugin": (
        "it is not known whether these Jekyll plugins make pages or change permalinks; if one does, build the site and "
        "point Waypost at its output, usually _site"
    ),
    "jekyll-timezone": (
        "this system does not know the site's `timezone`, so UTC was used; the day in a post's URL may be another"
    ),
    "jekyll-front-matter": "the front matter, or a date in it, could not be read, and Jekyll cannot read it either",
}
