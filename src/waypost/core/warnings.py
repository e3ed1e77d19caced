"""The warnings to the owner of a site: for each code its sentence, and what a report says of it.

The files that a warning is about follow its sentence.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from waypost.core.model import Example, SiteWarning
from waypost.core.severity import Severity

_MOST_EXAMPLES = 3
_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


class ProblemText(NamedTuple):
    """How serious a problem is, what it is, why it matters, and what to do about it."""

    severity: Severity
    title: str
    why: str
    advice: str


class WarningText(NamedTuple):
    """The sentence of a warning, and what a report says of it."""

    message: str
    problem: ProblemText


_UNDATED = "Search engines read the date to see which pages changed; without one they fetch pages by guess."
_WRONG_URL = "Search engines list the URL that the canonical link names, and drop others."
_HREFLANG = "Search engines ignore the link, so visitors may be led to a page in another language."
NOT_LISTED = "Search engines may never find a page that is not listed."
_OWN_FILES = "Search engines may read a file that is not the site's true list of pages."

WARNINGS: Mapping[str, WarningText] = {
    "foreign-canonical": WarningText(
        (
            "rel=canonical names a URL outside base_url, and the page is listed nevertheless; usually base_url is"
            ' wrong (foreign_canonical = "skip" leaves such pages out)'
        ),
        ProblemText(
            _ERROR,
            "Canonical links name another site",
            _WRONG_URL + " These pages are listed nevertheless.",
            'Correct base_url or the links; foreign_canonical = "skip" leaves such pages out.',
        ),
    ),
    "canonical-origin": WarningText(
        (
            "rel=canonical names the page with another scheme or host than base_url; it was listed with those of "
            "base_url"
        ),
        ProblemText(
            _WARNING,
            "Canonical links have another scheme or host",
            _WRONG_URL + " These pages were listed below base_url.",
            "Correct base_url or the links, so that they agree.",
        ),
    ),
    "canonical-query": WarningText(
        "rel=canonical names the page with a query; it was listed without it",
        ProblemText(
            _NOTE,
            "Canonical links have a query",
            "The pages were listed without it.",
            "Remove the query from the links, if the page is the same without it.",
        ),
    ),
    "canonical-case": WarningText(
        (
            "rel=canonical differs from the page's URL in capital letters only, which to many servers is another "
            "page; it was listed under the name of its file"
        ),
        ProblemText(
            _WARNING,
            "Canonical links differ in capital letters",
            "To many servers that is another page. These pages were listed under the names of their files.",
            "Write the links as the files are named.",
        ),
    ),
    "canonical-unicode": WarningText(
        (
            "rel=canonical has the same name as the page in another Unicode form (NFC or NFD), which to most servers "
            "is another page though it looks the same; it was listed under the name of its file; give the file the "
            "name in NFC, as the links have it"
        ),
        ProblemText(
            _WARNING,
            "Canonical links have another Unicode form",
            "The same name in NFC and in NFD looks the same, but to most servers these are two pages. These pages "
            "were listed under the names of their files.",
            "Give the files names in NFC, as the links have them.",
        ),
    ),
    "canonical-home": WarningText(
        (
            "nearly all canonical links name the home page, so search engines drop the other pages; usually the "
            "template is wrong"
        ),
        ProblemText(
            _ERROR,
            "Nearly all canonical links name the home page",
            "Search engines then drop all other pages.",
            "Correct the template, so that each page names itself.",
        ),
    ),
    "canonical-missing": WarningText(
        (
            "rel=canonical names a URL of this site that no page has, so the page was left out, and search "
            "engines may ignore the link; correct the link, or remove it"
        ),
        ProblemText(
            _WARNING,
            "Canonical links name pages that do not exist",
            "The pages were left out, and search engines may list neither them nor the page that is named.",
            "Correct the link, or remove it.",
        ),
    ),
    "copies": WarningText(
        (
            "pages are byte-identical copies of one another and name no canonical URL, so search engines list one"
            ' of them; exclude one set, add rel=canonical, or set duplicates = "first"'
        ),
        ProblemText(
            _WARNING,
            "Pages are copies of one another",
            "They name no canonical URL, so search engines choose one of them and drop the others.",
            'Exclude one set, add rel=canonical, or set duplicates = "first".',
        ),
    ),
    "several-versions": WarningText(
        (
            "the site has three versions or more, and all were listed, so search engines may show an old one; "
            'versions = "newest" lists the newest only, and versions = "all" ends this warning'
        ),
        ProblemText(
            _NOTE,
            "The site has several versions",
            "All were listed, so search engines may show an old one.",
            'versions = "newest" lists the newest only, and versions = "all" ends this message.',
        ),
    ),
    "no-versions": WarningText(
        (
            'versions = "newest" has no effect, because no folders of the site that are named for versions hold the '
            "same pages; name the older ones in `exclude`"
        ),
        ProblemText(
            _WARNING,
            "The setting `versions` has no effect",
            "No folders of the site that are named for versions hold the same pages.",
            "Name the older ones in `exclude`, or remove the setting.",
        ),
    ),
    "base-url-changed": WarningText(
        (
            "no URL of the current sitemaps begins with base_url, so every URL changes; check base_url, unless "
            "the site has moved"
        ),
        ProblemText(
            _ERROR,
            "All URLs change",
            "No URL of the current sitemaps begins with base_url, and search engines treat each new URL as a new page.",
            "Check base_url, unless the site has moved.",
        ),
    ),
    "source-below": WarningText(
        (
            "a folder in this one is the source of a site, and its files were listed as they are; usually the "
            "built site should be listed instead"
        ),
        ProblemText(
            _WARNING,
            "A folder is the source of a site",
            "Its files were listed as they are, but visitors see the built site.",
            "List the folder of the built site instead.",
        ),
    ),
    "nested-repository": WarningText(
        (
            "a folder has a .git of its own that belongs to no submodule and no working tree of this repository, "
            "so it was not opened, because its settings could run programs; run Waypost in that folder, or in a "
            "workflow name it in the input `repository`"
        ),
        ProblemText(
            _WARNING,
            "A folder has a .git of its own",
            "It was not opened, because its settings could run programs, so its history dates no page.",
            "Run Waypost in that folder, or name it in the input `repository` of the Action.",
        ),
    ),
    "url-form-changed": WarningText(
        "the site's links use another form of URLs than before, so pages are listed in that form now",
        ProblemText(
            _NOTE,
            "URLs have another form than before",
            "The site's links changed, and pages are listed in the form that they use.",
            "Check that the server redirects the former URLs.",
        ),
    ),
    "shallow": WarningText(
        (
            "no date, because this clone is shallow; fetch the history (`waypost build --fetch-history`; in a workflow "
            "`fetch-depth: 0` for actions/checkout, or `fetch-history: true` for Waypost)"
        ),
        ProblemText(
            _WARNING,
            "The clone is shallow, so pages have no date",
            _UNDATED,
            "Fetch the history: `waypost build --fetch-history`; in a workflow `fetch-depth: 0` for actions/checkout, "
            "or `fetch-history: true` for Waypost.",
        ),
    ),
    "uncommitted": WarningText(
        "no date, because the page or one of its source files has changes that are not committed",
        ProblemText(
            _NOTE,
            "Changes are not committed, so pages have no date",
            _UNDATED,
            "Commit them before the sitemaps are built.",
        ),
    ),
    "untracked": WarningText(
        (
            "no date, because Git does not track the page; for a built site set `sources`, or lastmod"
            ' = "content" with a state'
        ),
        ProblemText(
            _WARNING,
            "Git does not track these pages, so they have no date",
            _UNDATED,
            'Commit them; for a built site set `sources`, or lastmod = "content" with a state.',
        ),
    ),
    "submodule-missing": WarningText(
        (
            "a submodule of the project is not checked out, so it cannot date the pages that are made of its files; "
            "check it out (`git submodule update --init`; in a workflow `submodules: true` for actions/checkout)"
        ),
        ProblemText(
            _WARNING,
            "A submodule is not checked out",
            f"Pages that are made of its files have no date. {_UNDATED}",
            "Run `git submodule update --init`; in a workflow set `submodules: true` for actions/checkout.",
        ),
    ),
    "submodule": WarningText(
        (
            "no date, because the page is in a submodule, which has a history of its own; build that folder's "
            "sitemaps separately, or set `page_dates`"
        ),
        ProblemText(
            _NOTE,
            "Pages of a submodule have no date",
            _UNDATED,
            "Build that folder's sitemaps separately, or set `page_dates`.",
        ),
    ),
    "sourceless": WarningText(
        ("no date, because Git tracks no file that `sources` names for the page; add a row to `sources`"),
        ProblemText(
            _WARNING,
            "No tracked file was named for these pages, so they have no date",
            _UNDATED,
            "Add a row to `sources`.",
        ),
    ),
    "list-page": WarningText(
        "the page lists other pages, so no single file dates it",
        ProblemText(
            _NOTE, "Pages that list others have no date", "No single file dates them.", "Nothing needs to be done."
        ),
    ),
    "ambiguous": WarningText(
        (
            "no date, because several tracked files could be the page's source, or another page has more of it; "
            "add a row to `sources`"
        ),
        ProblemText(
            _NOTE, "Several files could be the source, so pages have no date", _UNDATED, "Add a row to `sources`."
        ),
    ),
    "no-evidence": WarningText(
        (
            "no date, because no tracked file was found to be the page's source; add a row to `sources`, or use "
            'lastmod = "content" with a state'
        ),
        ProblemText(
            _NOTE,
            "No tracked file was found to be the source, so pages have no date",
            _UNDATED,
            'Add a row to `sources`, or use lastmod = "content" with a state.',
        ),
    ),
    "wrong-commit-time": WarningText(
        (
            "no date, because the time of the page's last commit is in the future, or before the web began (August "
            "1991), or cannot be read"
        ),
        ProblemText(
            _WARNING,
            "The time of the last commit is wrong",
            f"It is in the future, or before the web began. {_UNDATED}",
            "Correct the clock of the computer that commits, or the time that the deployment sets.",
        ),
    ),
    "beyond-budget": WarningText(
        (
            "no date, because finding the page's last significant change needs more older versions than "
            "`date_budget` allows, or than are fetched for a clone without file contents; raise it, or set "
            'significance = "bytes"'
        ),
        ProblemText(
            _NOTE,
            "Finding the last significant change takes too many versions, so pages have no date",
            _UNDATED,
            'Raise `date_budget`, or set significance = "bytes".',
        ),
    ),
    "unread-versions": WarningText(
        (
            "no date, because older versions of the page are not in this clone and could not be fetched; build "
            'where the remote can be reached, or set significance = "bytes"'
        ),
        ProblemText(
            _WARNING,
            "Older versions of pages could not be fetched, so they have no date",
            _UNDATED,
            'Build where the remote can be reached, or set significance = "bytes".',
        ),
    ),
    "wrong-page-date": WarningText(
        (
            "the date that the page gives itself is in the future, or before the web began (August 1991), so it was "
            "ignored"
        ),
        ProblemText(
            _WARNING,
            "Pages give themselves a wrong date",
            "It is in the future, or before the web began. Search engines distrust such dates, so it was ignored.",
            "Correct the date in the page.",
        ),
    ),
    "alternates-contradict": WarningText(
        "a page names several URLs for one hreflang, so only the first counts",
        ProblemText(_WARNING, "Pages name several URLs for one language", _HREFLANG, "Name one URL for each hreflang."),
    ),
    "alternates-without-self": WarningText(
        (
            "a page names alternates but not itself, and search engines want each page among its own alternates, as "
            "the sitemap lists it; add the link to the page"
        ),
        ProblemText(
            _WARNING,
            "Pages name other languages, but not themselves",
            "Search engines want each page among its own alternates, as the sitemap lists it.",
            "Add the link to the page itself.",
        ),
    ),
    "alternate-too-long": WarningText(
        "the URL of an alternate has 2,048 characters or more, so it was left out",
        ProblemText(
            _WARNING, "The URL of an alternate is too long", _HREFLANG, "Shorten it to less than 2,048 characters."
        ),
    ),
    "alternate-unlisted": WarningText(
        "an alternate is on this site but not listed, so it was left out",
        ProblemText(
            _WARNING,
            "Alternates are not listed",
            _HREFLANG,
            "Publish the page that the link names, or correct the link.",
        ),
    ),
    "alternate-unreturned": WarningText(
        (
            "a page names an alternate that does not name the page back, so search engines ignore the link; it "
            "was left out"
        ),
        ProblemText(
            _WARNING,
            "Alternates do not name the page back",
            _HREFLANG,
            "Add the link to the other page, too, or remove this one.",
        ),
    ),
    "hreflang-code": WarningText(
        "an hreflang is not a language code, so it was left out",
        ProblemText(
            _WARNING, "An hreflang is not a language code", _HREFLANG, "Use a language code such as en or pt-BR."
        ),
    ),
    "unreadable": WarningText(
        "the page could not be read, so it was left out",
        ProblemText(
            _ERROR, "Pages could not be read", NOT_LISTED + " These were left out.", "Make the files readable."
        ),
    ),
    "beyond-bounds": WarningText(
        (
            "the page exceeds a bound of the parser (4 MiB, 100,000 tags, 512 open elements, 256 attributes of a "
            "tag), so what comes after is unknown: it is listed as it was before, or without a date"
        ),
        ProblemText(
            _WARNING,
            "Pages are too large or too deeply nested to be read",
            "What they say beyond the bounds of the parser is unknown: they are listed as before, or without a date.",
            "Make the pages smaller, or exclude them.",
        ),
    ),
    "state-damaged": WarningText(
        (
            "the state was lost or damaged, so it was made again, of its last copy or with the dates of the published "
            "sitemaps; find out who changed it"
        ),
        ProblemText(
            _WARNING,
            "The state was lost or damaged",
            "It was made again, of its last copy or with the dates of the published sitemaps.",
            "Find out who changed it.",
        ),
    ),
    "newer-release": WarningText(
        (
            "a newer release made the state, and this one builds it again by older rules; use one release for "
            "all runs, as the two would replace each other's sitemaps"
        ),
        ProblemText(
            _WARNING,
            "A newer release made the state",
            "This one builds it again by older rules, and the two replace each other's sitemaps.",
            "Use one release for all runs.",
        ),
    ),
    "adopted": WarningText(
        (
            "the dates of another state were taken over; the sitemaps that it published are left as they are, so"
            " delete them if the site is no longer at that location"
        ),
        ProblemText(
            _NOTE,
            "The dates of another state were taken over",
            "The sitemaps that it published are left as they are.",
            "Delete them if the site is no longer at that location.",
        ),
    ),
    "foreign-replaced": WarningText(
        "a file that this state did not write was in the place of a sitemap, and was replaced",
        ProblemText(
            _WARNING,
            "A file in the place of a sitemap was replaced",
            "This state did not write it, so another writer may write it again.",
            "Find out who wrote it.",
        ),
    ),
    "output-left": WarningText(
        (
            "a file of earlier settings could not be deleted, and is left; allow it (`FormerSitemapName` in the "
            "function's template), or delete the file yourself"
        ),
        ProblemText(
            _WARNING,
            "A file of earlier settings could not be deleted",
            _OWN_FILES,
            "Allow it (`FormerSitemapName` in the function's template), or delete the file yourself.",
        ),
    ),
    "contested": WarningText(
        (
            "within an hour another writer replaced a published file more than three times, or deleted it more "
            "than 30 times, so it is left as it is until the next rebuild; find out who writes it, such as a "
            "generator or a second stack, and stop that"
        ),
        ProblemText(
            _ERROR,
            "Another writer keeps replacing a published file",
            _OWN_FILES + " It is left as it is until the next rebuild.",
            "Find out who writes it, such as a generator or a second stack, and stop that.",
        ),
    ),
    "output-blocked": WarningText(
        (
            "a file that Waypost did not create has the name of one of its files, so that was not published; move"
            " it, or set another `name`"
        ),
        ProblemText(
            _ERROR,
            "A file is in the place of a sitemap",
            "Waypost did not create it, so it was not replaced, and the sitemap is not published.",
            "Move the file, or set another `name`.",
        ),
    ),
    "robots-unreadable": WarningText(
        "robots.txt could not be read, so its rules were ignored",
        ProblemText(
            _WARNING,
            "robots.txt could not be read",
            "Its rules were ignored, so pages may be listed that crawlers must not fetch.",
            "Make the file readable.",
        ),
    ),
    "robots-stale": WarningText(
        (
            "robots.txt names a sitemap that was removed; delete the line, or set `robots_sitemaps` to keep such "
            "lines up to date"
        ),
        ProblemText(
            _WARNING,
            "robots.txt names a sitemap that was removed",
            "Search engines ask for it, and get an error.",
            "Delete the line, or set `robots_sitemaps` to keep such lines up to date.",
        ),
    ),
    "other-sitemap": WarningText(
        (
            "a sitemap that Waypost does not write is published beside its own, or robots.txt names one, so "
            "search engines may read both; delete it, or switch it off in the generator, and correct robots.txt; if "
            "it lists URLs that have no file, name it in `sitemaps`"
        ),
        ProblemText(
            _WARNING,
            "Another tool's sitemap is published, too",
            "Search engines may read both, and the other one may list pages that are gone.",
            "Delete it, or switch it off, and correct robots.txt; or name it in the setting `sitemaps`.",
        ),
    ),
    "canonical-slashes": WarningText(
        (
            "rel=canonical has several slashes in a row, which servers answer as one; the page was listed with one: "
            "remove the last slash of the site's URL in the generator's settings"
        ),
        ProblemText(
            _WARNING,
            "Canonical links have several slashes in a row",
            "Search engines take URLs with more slashes for other pages.",
            "Remove the last slash of the site's URL in the generator's settings.",
        ),
    ),
    "generator-left-out": WarningText(
        "the generator's own sitemap leaves out pages that are listed; `honour_generator = true` leaves them out",
        ProblemText(
            _NOTE,
            "Pages that the generator's own sitemap leaves out",
            "Their author may not want them to be found.",
            "Set honour_generator = true, or leave them out with `exclude`, if that is meant.",
        ),
    ),
    "canonical-back": WarningText(
        "a page's canonical link names a page that only redirects back to it, so the page is listed; correct the link",
        ProblemText(
            _WARNING,
            "Canonical links to redirects that lead back",
            "Search engines follow the redirect to the page, and the page names the redirect.",
            "Let the canonical link name the page itself.",
        ),
    ),
    "canonical-redirected": WarningText(
        (
            "rel=canonical names a URL that the host redirects to another form of it, and search engines drop URLs "
            "that redirect; set the generator's trailing slash or clean URLs as the host has them"
        ),
        ProblemText(
            _WARNING,
            "Canonical links name URLs that the host redirects",
            "Search engines drop URLs that redirect.",
            "Set the generator's trailing slash or clean URLs as the host has them.",
        ),
    ),
    "several-hosts": WarningText(
        (
            "the project has files with the rules of several hosts, so the rules of none were applied; set `host` to "
            "the one that publishes the site"
        ),
        ProblemText(
            _WARNING,
            "Which host publishes the site is not known",
            "The rules of none were applied, so URLs that the host redirects may be listed.",
            "Set `host` to the one that publishes the site.",
        ),
    ),
    "host-rule-unread": WarningText(
        (
            "rules of the host that cannot be read were not applied, so pages that they redirect or keep out of search "
            "engines may be listed; leave those pages out with `exclude`"
        ),
        ProblemText(
            _NOTE,
            "Rules of the host cannot be read",
            "Pages that they redirect or keep out of search engines may be listed.",
            "Leave those pages out with `exclude`.",
        ),
    ),
    "base-url-contradicted": WarningText(
        "base_url is not what the site's project names; correct one of them",
        ProblemText(
            _WARNING,
            "The project names another base URL",
            "If base_url is wrong, no URL in the sitemap exists.",
            "Correct base_url, or what names another.",
        ),
    ),
    "base-url-path": WarningText(
        (
            "the site's links and canonical links lead to another folder of the host than base_url, as if the site "
            "were published there; correct base_url"
        ),
        ProblemText(
            _ERROR,
            "The site's links lead below another base URL",
            "No URL in the sitemap exists if the site is published where its links lead.",
            "Correct base_url.",
        ),
    ),
    "single-page-app": WarningText(
        (
            "the only page is the shell of an application that shows its routes by scripts: routes are not files, so "
            "they are not found; render them to files when building (prerendering), or name them in `urls`"
        ),
        ProblemText(
            _WARNING,
            "The routes of an application are not files",
            "Search engines get the URL of one page only.",
            "Render the routes to files when building (prerendering), or name them in the setting `urls`.",
        ),
    ),
    "not-published": WarningText(
        (
            "GitHub Pages publishes no folders and files that begin with `_` unless there is a file .nojekyll, so "
            "these pages would be missing; add an empty file .nojekyll"
        ),
        ProblemText(
            _ERROR,
            "GitHub Pages does not publish some pages",
            "Their URLs answer 404.",
            "Add an empty file .nojekyll to the folder that is published.",
        ),
    ),
    "sitemap-disallowed": WarningText(
        "robots.txt keeps crawlers from the sitemap, so no search engine reads it; allow its URL",
        ProblemText(
            _ERROR,
            "robots.txt disallows the sitemap",
            "Google reports “Sitemap blocked by robots.txt” and reads nothing of it.",
            "Add a line such as `Allow: /sitemap` to the same group of robots.txt.",
        ),
    ),
    "robots-groups": WarningText(
        (
            "lines of robots.txt that are no rules do not begin a new group: by RFC 9309, as Google reads it, the next "
            "`User-agent` joins the group before it, whose rules are then for both; other crawlers differ. Add a rule "
            "to the first group, such as `Disallow:`"
        ),
        ProblemText(
            _WARNING,
            "Groups of robots.txt that crawlers read in different ways",
            "For Google, a line such as `Crawl-delay` ends no group: the rules that follow are for both crawlers.",
            "Add a rule to the first group, such as an empty `Disallow:`.",
        ),
    ),
    "content-signal": WarningText(
        (
            "crawlers do not understand a `Content-Signal` line of robots.txt; below a `User-agent` line write the "
            "signals search, ai-input and ai-train with yes or no, such as `Content-Signal: search=yes, ai-train=no`"
        ),
        ProblemText(
            _WARNING,
            "A Content-Signal line of robots.txt that crawlers do not understand",
            "They take what it says for not said.",
            "Correct it, such as `Content-Signal: search=yes, ai-train=no` below a `User-agent` line.",
        ),
    ),
    "wrong-cname": WarningText(
        (
            "the file CNAME and base_url name different hosts, and search engines ignore URLs of a host that is "
            "not the sitemap's; correct one of them"
        ),
        ProblemText(
            _ERROR,
            "CNAME and base_url name different hosts",
            "Search engines ignore URLs of a host that is not the sitemap's.",
            "Correct one of them.",
        ),
    ),
    "capital-letters": WarningText(
        (
            "the host redirects URLs with capital letters to small ones, so these URLs are redirects; rename the "
            "files, or let the generator make small letters of them"
        ),
        ProblemText(
            _WARNING,
            "The host redirects URLs with capital letters",
            "Search engines find redirects in the sitemap, and list the pages at other URLs.",
            "Rename the files, or let the generator make small letters of them.",
        ),
    ),
    "stale-copy": WarningText(
        (
            "compressed copies of files that changed are out of date, and servers may answer with them; compress the "
            "files again, or run Waypost before they are compressed"
        ),
        ProblemText(
            _WARNING,
            "Compressed copies of files are out of date",
            "Servers may answer with them, so search engines read what the files were before.",
            "Compress the files again, or run Waypost before they are compressed.",
        ),
    ),
    "bucket-website": WarningText(
        (
            "the bucket's website configuration contradicts the settings; if visitors use the website endpoint, "
            "correct these"
        ),
        ProblemText(
            _WARNING,
            "The bucket's website configuration contradicts the settings",
            "Where visitors use the website endpoint, URLs may be wrong.",
            "Correct these settings, or remove the configuration if nobody uses the endpoint.",
        ),
    ),
    "robots-not-at-root": WarningText(
        (
            "the rules of robots.txt were ignored: crawlers read it only at the host's root, and base_url is a "
            "folder below it"
        ),
        ProblemText(
            _NOTE,
            "robots.txt is not at the host's root",
            "Crawlers read it only there, so its rules were ignored.",
            "Put its rules into the robots.txt at the host's root.",
        ),
    ),
    "served-as-download": WarningText(
        (
            "pages have a Content-Type for which browsers save them instead of showing them; upload them again with "
            "text/html"
        ),
        ProblemText(
            _ERROR,
            "Pages have the Content-Type of a download",
            "Browsers save them instead of showing them, and search engines do not read them as pages.",
            "Upload them again with the Content-Type text/html.",
        ),
    ),
    "unknown-coding": WarningText(
        (
            "pages have a content coding that is not known here, so they are listed as they were before, or as their "
            "names say; upload them in gzip, br, deflate or zstd, and install brotli and backports.zstd"
        ),
        ProblemText(
            _WARNING,
            "Pages have an unknown content coding",
            "A noindex, a redirect and a canonical link in them are not seen, and changes do not date them.",
            "Upload them in gzip, br, deflate or zstd.",
        ),
    ),
    "not-kept": WarningText(
        "another tool's sitemap has what cannot be kept, because it is not valid or is where nothing is allowed",
        ProblemText(
            _NOTE,
            "Not all of another tool's sitemap could be kept",
            "Dates that cannot be, unknown elements and values that the protocol does not allow are left out.",
            "Correct that sitemap; `waypost validate` says where.",
        ),
    ),
    "sitemap-missing": WarningText(
        "an optional sitemap that `sitemaps` names could not be read, so its URLs are not listed",
        ProblemText(
            _WARNING,
            "A sitemap that `sitemaps` names could not be read",
            "Its URLs are not listed.",
            "Correct its location, or publish it before this build.",
        ),
    ),
    "sitemap-kept": WarningText(
        "a sitemap that `sitemaps` names could not be read, so its URLs are listed as they were last",
        ProblemText(
            _WARNING,
            "A sitemap that `sitemaps` names could not be read",
            "Its URLs are listed as they were last: new ones are missing, and dates are old.",
            "Correct its location, or publish it again, and rebuild.",
        ),
    ),
    "child-scope": WarningText(
        "a sitemap may list only URLs at or below its own folder; search engines may ignore others",
        ProblemText(
            _WARNING,
            "A child sitemap lists URLs outside of its folder",
            "A sitemap may list only URLs at or below its own folder; search engines may ignore others.",
            "Publish it in a folder above its URLs, or list the URLs without `as`.",
        ),
    ),
    "jekyll-layouts": WarningText(
        (
            "the URLs were derived from a Jekyll source, where noindex and rel=canonical in layouts and themes "
            "cannot be seen; if yours have them, build the site and point Waypost at its output, usually _site"
        ),
        ProblemText(
            _NOTE,
            "The layouts of a Jekyll source cannot be seen",
            "noindex and rel=canonical in layouts and themes were not read.",
            "If yours have them, build the site and point Waypost at its output, usually _site.",
        ),
    ),
    "jekyll-plugin": WarningText(
        (
            "it is not known whether these Jekyll plugins make pages or change permalinks; if one does, build the"
            " site and point Waypost at its output, usually _site"
        ),
        ProblemText(
            _NOTE,
            "Jekyll plugins may make pages",
            "It is not known whether these plugins make pages or change permalinks.",
            "If one does, build the site and point Waypost at its output, usually _site.",
        ),
    ),
    "jekyll-timezone": WarningText(
        ("this system does not know the site's `timezone`, so UTC was used; the day in a post's URL may be another"),
        ProblemText(
            _WARNING,
            "The site's `timezone` is unknown to this system",
            "UTC was used; the day in a post's URL may be another.",
            "Correct `timezone`, or install the system's time zones.",
        ),
    ),
    "jekyll-front-matter": WarningText(
        "the front matter, or a date in it, could not be read, and Jekyll cannot read it either",
        ProblemText(
            _WARNING,
            "Front matter, or a date in it, could not be read",
            "Jekyll cannot read it either, so the page may not be as it is meant.",
            "Correct the front matter.",
        ),
    ),
}
"""Each warning by its code, in the order in which they are reported."""


def site_warning(code: str, examples: Sequence[Example]) -> SiteWarning:
    """The warning with this code about these cases, of which the first are shown."""
    return SiteWarning(code, WARNINGS[code].message, len(examples), tuple(examples[:_MOST_EXAMPLES]))
