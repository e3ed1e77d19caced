"""The warnings to the owner of a site: the sentence of each code. The files that it is about follow it."""

MESSAGES = {
    "foreign-canonical": (
        "rel=canonical names a URL outside base_url, and the page is listed nevertheless; usually base_url is wrong "
        '(foreign_canonical = "skip" leaves such pages out)'
    ),
    "canonical-origin": (
        "rel=canonical names the page with another scheme or host than base_url; it was listed with those of base_url"
    ),
    "canonical-query": "rel=canonical names the page with a query; it was listed without it",
    "canonical-case": (
        "rel=canonical differs from the page's URL in capital letters only, which to many servers is another page; it "
        "was listed under the name of its file"
    ),
    "canonical-home": (
        "nearly all canonical links name the home page, so search engines drop the other pages; usually the template "
        "is wrong"
    ),
    "canonical-missing": (
        "rel=canonical names a URL of this site that no page has, so the page was left out, and search engines may "
        "ignore the link; correct the link, or remove it"
    ),
    "copies": (
        "pages are byte-identical copies of one another and name no canonical URL, so search engines list one of them; "
        'exclude one set, add rel=canonical, or set duplicates = "first"'
    ),
    "base-url-changed": (
        "no URL of the present sitemaps begins with base_url, so every URL changes; check base_url, unless the site "
        "has moved"
    ),
    "source-below": (
        "a folder in this one is the source of a site, and its files were listed as they are; usually the built site "
        "should be listed instead"
    ),
    "nested-repository": (
        "a folder has a .git of its own that belongs to no submodule and no working tree of this repository, so it was "
        "not opened, because its settings could run programs; run Waypost in that folder, or in a workflow name it in "
        "the input `repository`"
    ),
    "url-form-changed": "the site's links use another form of URLs than before, so pages are listed in that form now",
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
    "list-page": "the page lists other pages, so no single file dates it",
    "ambiguous": (
        "no date, because several tracked files could be the page's source, or another page has more of it; add a row "
        "to `sources`"
    ),
    "no-evidence": (
        "no date, because no tracked file was found to be the page's source; add a row to `sources`, or use "
        'lastmod = "content" with a state'
    ),
    "future-commit": "no date, because the time of the page's last commit is in the future, or cannot be read",
    "beyond-budget": (
        "no date, because finding the page's last significant change needs more older versions than `date_budget` "
        'allows, or than are fetched for a clone without file contents; raise it, or set significance = "bytes"'
    ),
    "unread-versions": (
        "no date, because older versions of the page are not in this clone and could not be fetched; build where the "
        'remote can be reached, or set significance = "bytes"'
    ),
    "future-date": "the date that the page gives itself is in the future, so it was ignored",
    "alternates-contradict": "a page names several URLs for one hreflang, so only the first counts",
    "alternates-without-self": (
        "a page names alternates but not itself, and search engines want each page among its own alternates; add the "
        "link to the page"
    ),
    "alternate-too-long": "the URL of an alternate has 2,048 characters or more, so it was left out",
    "alternate-unlisted": "an alternate is on this site but not listed, so it was left out",
    "alternate-unreturned": (
        "a page names an alternate that does not name the page back, so search engines ignore the link; it was left out"
    ),
    "hreflang-code": "an hreflang is not a language code, so it was left out",
    "unreadable": "the page could not be read, so it was left out",
    "beyond-bounds": (
        "the page exceeds a bound of the parser (4 MiB, 100,000 tags, 512 open elements, 256 attributes of a tag), so "
        "what comes after is unknown: it is listed as it was before, or without a date"
    ),
    "records-lost": (
        "a file of the ledger was lost or damaged, so its pages were read again, and have no date until they change; "
        "docs/s3.md says how to restore the dates"
    ),
    "newer-release": (
        "a newer release built the ledger, and this one builds it again by older rules; use one release for all runs, "
        "as the two would replace each other's sitemaps"
    ),
    "adopted": (
        "the dates of another ledger were taken over; the sitemaps that it published are left as they are, so delete "
        "them if the site is no longer at that location"
    ),
    "foreign-replaced": "a file that this ledger did not write was in the place of a sitemap, and was replaced",
    "output-left": (
        "a file of earlier settings could not be deleted, and is left; allow it (`FormerSitemapName` in the function's "
        "template), or delete the file yourself"
    ),
    "contested": (
        "within an hour somebody else replaced a published file more than three times, or deleted it more than 30 "
        "times, so it is left as it is until the next rebuild; find out who writes it, such as a generator or a second "
        "stack, and stop that"
    ),
    "output-blocked": (
        "a file that Waypost did not create has the name of one of its files, so that was not published; move it, or "
        "set another `name`"
    ),
    "robots-unreadable": "robots.txt could not be read, so its rules were ignored",
    "robots-stale": (
        "robots.txt names a sitemap that was removed; delete the line, or set `robots_sitemaps` to keep such lines up "
        "to date"
    ),
    "other-sitemap": (
        "a sitemap that Waypost does not write is published beside its own, or robots.txt names one, so search engines "
        "may read both; delete it, or switch it off in the generator, and correct robots.txt"
    ),
    "wrong-cname": (
        "the file CNAME and base_url name different hosts, and search engines ignore URLs of a host that is not the "
        "sitemap's; correct one of them"
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
