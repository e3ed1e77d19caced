"""What a report says of each warning: a row each."""

from collections.abc import Mapping
from typing import NamedTuple

from waypost.validate.rules import Severity

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


class ProblemText(NamedTuple):
    """How serious a problem is, what it is, why it matters, and what to do about it."""

    severity: Severity
    title: str
    why: str
    advice: str


_UNDATED = "Search engines read the date to see which pages changed; without one they fetch pages by guess."
_WRONG_URL = "Search engines list the URL that the canonical link names, and drop others."
_HREFLANG = "Search engines ignore the link, so visitors may be led to a page in another language."
NOT_LISTED = "Search engines may never find a page that is not listed."
_OWN_FILES = "Search engines may read a file that is not the site's true list of pages."

WARNING_TEXTS: Mapping[str, ProblemText] = {
    "base-url-changed": ProblemText(
        _ERROR,
        "All URLs change",
        "No URL of the present sitemaps begins with base_url, and search engines treat each new URL as a new page.",
        "Check base_url, unless the site has moved.",
    ),
    "wrong-cname": ProblemText(
        _ERROR,
        "CNAME and base_url name different hosts",
        "Search engines ignore URLs of a host that is not the sitemap's.",
        "Correct one of them.",
    ),
    "canonical-home": ProblemText(
        _ERROR,
        "Nearly all canonical links name the home page",
        "Search engines then drop all other pages.",
        "Correct the template, so that each page names itself.",
    ),
    "foreign-canonical": ProblemText(
        _ERROR,
        "Canonical links name another site",
        _WRONG_URL + " These pages are listed nevertheless.",
        'Correct base_url or the links; foreign_canonical = "skip" leaves such pages out.',
    ),
    "unreadable": ProblemText(
        _ERROR, "Pages could not be read", NOT_LISTED + " These were left out.", "Make the files readable."
    ),
    "beyond-bounds": ProblemText(
        _WARNING,
        "Pages are too large or too deeply nested to be read",
        "What they say beyond the bounds of the parser is unknown: they are listed as before, or without a date.",
        "Make the pages smaller, or exclude them.",
    ),
    "output-blocked": ProblemText(
        _ERROR,
        "A file is in the place of a sitemap",
        "Waypost did not create it, so it was not replaced, and the sitemap is not published.",
        "Move the file, or set another `name`.",
    ),
    "contested": ProblemText(
        _ERROR,
        "Somebody else keeps replacing a published file",
        _OWN_FILES + " It is left as it is until the next rebuild.",
        "Find out who writes it, such as a generator or a second stack, and stop that.",
    ),
    "other-sitemap": ProblemText(
        _WARNING,
        "Another tool's sitemap is published, too",
        "Search engines may read both, and the other one may list pages that are gone.",
        "Delete it, or switch it off in the generator, and correct robots.txt.",
    ),
    "nested-repository": ProblemText(
        _WARNING,
        "A folder has a .git of its own",
        "It was not opened, because its settings could run programs, so its history dates no page.",
        "Run Waypost in that folder, or name it in the input `repository` of the Action.",
    ),
    "robots-stale": ProblemText(
        _WARNING,
        "robots.txt names a sitemap that was removed",
        "Search engines ask for it, and get an error.",
        "Delete the line, or set `robots_sitemaps` to keep such lines up to date.",
    ),
    "robots-unreadable": ProblemText(
        _WARNING,
        "robots.txt could not be read",
        "Its rules were ignored, so pages may be listed that crawlers must not fetch.",
        "Make the file readable.",
    ),
    "robots-not-at-root": ProblemText(
        _NOTE,
        "robots.txt is not at the host's root",
        "Crawlers read it only there, so its rules were ignored.",
        "Put its rules into the robots.txt at the host's root.",
    ),
    "canonical-missing": ProblemText(
        _WARNING,
        "Canonical links name pages that do not exist",
        "The pages were left out, and search engines may list neither them nor the page that is named.",
        "Correct the link, or remove it.",
    ),
    "canonical-origin": ProblemText(
        _WARNING,
        "Canonical links have another scheme or host",
        _WRONG_URL + " These pages were listed below base_url.",
        "Correct base_url or the links, so that they agree.",
    ),
    "canonical-case": ProblemText(
        _WARNING,
        "Canonical links differ in capital letters",
        "To many servers that is another page. These pages were listed under the names of their files.",
        "Write the links as the files are named.",
    ),
    "canonical-query": ProblemText(
        _NOTE,
        "Canonical links have a query",
        "The pages were listed without it.",
        "Remove the query from the links, if the page is the same without it.",
    ),
    "copies": ProblemText(
        _WARNING,
        "Pages are copies of one another",
        "They name no canonical URL, so search engines choose one of them and drop the others.",
        'Exclude one set, add rel=canonical, or set duplicates = "first".',
    ),
    "source-below": ProblemText(
        _WARNING,
        "A folder is the source of a site",
        "Its files were listed as they are, but visitors see the built site.",
        "List the folder of the built site instead.",
    ),
    "url-form-changed": ProblemText(
        _NOTE,
        "URLs have another form than before",
        "The site's links changed, and pages are listed in the form that they use.",
        "Check that the server redirects the former URLs.",
    ),
    "shallow": ProblemText(
        _WARNING,
        "The clone is shallow, so pages have no date",
        _UNDATED,
        "Fetch the history: `fetch-depth: 0` for actions/checkout, `fetch-history: true` for Waypost, or "
        "`git fetch --unshallow --filter=blob:none`.",
    ),
    "untracked": ProblemText(
        _WARNING,
        "Git does not track these pages, so they have no date",
        _UNDATED,
        'Commit them; for a built site set `preset` or `sources`, or lastmod = "content" with a state.',
    ),
    "sourceless": ProblemText(
        _WARNING,
        "No tracked file was named for these pages, so they have no date",
        _UNDATED,
        "Add a row to `sources`.",
    ),
    "future-commit": ProblemText(
        _WARNING,
        "The time of the last commit is in the future",
        _UNDATED,
        "Correct the clock of the computer that commits.",
    ),
    "unread-versions": ProblemText(
        _WARNING,
        "Older versions of pages could not be fetched, so they have no date",
        _UNDATED,
        'Build where the remote can be reached, or set significance = "bytes".',
    ),
    "future-date": ProblemText(
        _WARNING,
        "Pages give themselves a date in the future",
        "Search engines distrust such dates, so it was ignored.",
        "Correct the date in the page.",
    ),
    "uncommitted": ProblemText(
        _NOTE,
        "Changes are not committed, so pages have no date",
        _UNDATED,
        "Commit them before the sitemaps are built.",
    ),
    "submodule": ProblemText(
        _NOTE,
        "Pages of a submodule have no date",
        _UNDATED,
        "Build that folder's sitemaps separately, or set `page_dates`.",
    ),
    "ambiguous": ProblemText(
        _NOTE, "Several files could be the source, so pages have no date", _UNDATED, "Add a row to `sources`."
    ),
    "no-evidence": ProblemText(
        _NOTE,
        "No tracked file was found to be the source, so pages have no date",
        _UNDATED,
        'Add a row to `sources`, or use lastmod = "content" with a state.',
    ),
    "beyond-budget": ProblemText(
        _NOTE,
        "Finding the last significant change takes too many versions, so pages have no date",
        _UNDATED,
        'Raise `date_budget`, or set significance = "bytes".',
    ),
    "list-page": ProblemText(
        _NOTE, "Pages that list others have no date", "No single file dates them.", "Nothing needs to be done."
    ),
    "alternates-contradict": ProblemText(
        _WARNING, "Pages name several URLs for one language", _HREFLANG, "Name one URL for each hreflang."
    ),
    "alternates-without-self": ProblemText(
        _WARNING,
        "Pages name other languages, but not themselves",
        "Search engines want each page among its own alternates.",
        "Add the link to the page itself.",
    ),
    "alternate-too-long": ProblemText(
        _WARNING, "The URL of an alternate is too long", _HREFLANG, "Shorten it to less than 2,048 characters."
    ),
    "alternate-unlisted": ProblemText(
        _WARNING,
        "Alternates are not listed",
        _HREFLANG,
        "Publish the page that the link names, or correct the link.",
    ),
    "alternate-unreturned": ProblemText(
        _WARNING,
        "Alternates do not name the page back",
        _HREFLANG,
        "Add the link to the other page, too, or remove this one.",
    ),
    "hreflang-code": ProblemText(
        _WARNING, "An hreflang is not a language code", _HREFLANG, "Use a language code such as en or pt-BR."
    ),
    "records-lost": ProblemText(
        _WARNING,
        "A file of the ledger was lost or damaged",
        "Its pages were read again, and have no date until they change.",
        "docs/s3.md says how to restore the dates.",
    ),
    "newer-release": ProblemText(
        _WARNING,
        "A newer release built the ledger",
        "This one builds it again by older rules, and the two replace each other's sitemaps.",
        "Use one release for all runs.",
    ),
    "foreign-replaced": ProblemText(
        _WARNING,
        "A file in the place of a sitemap was replaced",
        "This ledger did not write it, so somebody else may write it again.",
        "Find out who wrote it.",
    ),
    "output-left": ProblemText(
        _WARNING,
        "A file of earlier settings could not be deleted",
        _OWN_FILES,
        "Allow it (`FormerSitemapName` in the function's template), or delete the file yourself.",
    ),
    "adopted": ProblemText(
        _NOTE,
        "The dates of another ledger were taken over",
        "The sitemaps that it published are left as they are.",
        "Delete them if the site is no longer at that location.",
    ),
    "jekyll-layouts": ProblemText(
        _NOTE,
        "The layouts of a Jekyll source cannot be seen",
        "noindex and rel=canonical in layouts and themes were not read.",
        "If yours have them, build the site and point Waypost at its output, usually _site.",
    ),
    "jekyll-plugin": ProblemText(
        _NOTE,
        "Jekyll plugins may make pages",
        "It is not known whether these plugins make pages or change permalinks.",
        "If one does, build the site and point Waypost at its output, usually _site.",
    ),
    "jekyll-timezone": ProblemText(
        _WARNING,
        "The site's `timezone` is unknown to this system",
        "UTC was used; the day in a post's URL may be another.",
        "Correct `timezone`, or install the system's time zones.",
    ),
    "jekyll-front-matter": ProblemText(
        _WARNING,
        "Front matter, or a date in it, could not be read",
        "Jekyll cannot read it either, so the page may not be as it is meant.",
        "Correct the front matter.",
    ),
}
"""The text for each code of `core/warnings.py`."""
