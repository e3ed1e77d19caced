"""What a site's owner is warned of: each code's sentence, which the files it is about follow."""

MESSAGES = {
    "foreign-canonical": (
        "rel=canonical lies outside base_url and the page is listed all the same; the usual cause is a wrong base_url "
        '(foreign_canonical = "skip" leaves such pages out)'
    ),
    "canonical-variant": (
        "rel=canonical is the same page by another form of its URL, so the page was left out; set drop_html, "
        "trailing_slash or index_files so that Waypost lists the form that the page names"
    ),
    "shallow": (
        "no date, because this clone is shallow; fetch the history (in a workflow: `fetch-depth: 0` for "
        "actions/checkout, or `fetch-history: true` for Waypost; by hand: `git fetch --unshallow --filter=blob:none`)"
    ),
    "uncommitted": "no date, because the page, or what it is made of, holds changes that are not committed",
    "untracked": (
        "no date, because Git does not track the page; for a built site set `preset` or `sources`, or "
        'lastmod = "content" with a state'
    ),
    "submodule": (
        "no date, because the page lies in a submodule, whose history is its own; build that folder's sitemaps by "
        "themselves, or set `page_dates`"
    ),
    "sourceless": (
        "no date, because Git tracks no file that `preset` or `sources` name for the page; add a row to `sources`"
    ),
    "future-commit": "no date, because the page's last commit claims a time in the future, or none that can be read",
    "future-date": "the page's own date lies in the future and was not believed",
    "alternates-contradict": (
        "pages that are versions of one another name different ones; what most of them say was listed for all"
    ),
    "alternate-unlisted": "an alternate of this site is no page that is listed, so it was left out of the set",
    "alternate-unreturned": (
        "an alternate does not name the page back, so readers ignore the pair, and it was left out"
    ),
    "hreflang-code": "an hreflang is no code of a language, so it was left out",
    "unreadable": "the page could not be read, so it was left out",
    "robots-unreadable": "robots.txt could not be read, so it was not heeded",
    "robots-stale": (
        "robots.txt names a sitemap that was removed; take the line out, or let `robots_sitemaps` keep such lines right"
    ),
    "robots-not-at-root": (
        "robots.txt was not heeded: crawlers read it at the host's root alone, and base_url is a folder below it"
    ),
}
