"""All findings of an audit by their codes, in the order in which the documentation and an audit list them."""

from collections.abc import Mapping
from types import MappingProxyType

from waypost.validate.rules.rule import ERROR, NOTE, WARNING, Rule

_LINKS = "Google, Link best practices"
_STATUS = "Google, How HTTP status codes affect Google Search"
_CANONICAL = "Google, Consolidate duplicate URLs"
_HREFLANG = "Google, Localized versions of your pages"
_TITLES = "Google, Title links"
_SNIPPETS = "Google, Snippets"
_IMAGES = "Google, Image SEO"
_REDIRECTS = "Google, Redirects and Google Search"


class AuditRule(Rule, frozen=True, kw_only=True):
    """A rule for a site as a graph; `title` is the heading of its cases."""

    title: str


_ALL = (
    AuditRule(
        "broken-link",
        ERROR,
        "no file of the site answers at the URL to which these pages link",
        "correct or remove the link, or publish the page",
        _STATUS,
        '<a href="/missing.html">',
        title="Links to pages that do not exist",
    ),
    AuditRule(
        "missing-image",
        ERROR,
        "no file of the site answers at the URL of an image on these pages",
        "correct the reference, or publish the image",
        _IMAGES,
        '<img src="/missing.png">',
        title="Images that do not exist",
    ),
    AuditRule(
        "missing-media",
        ERROR,
        "no file of the site answers at the URL of a video or a sound on these pages",
        "correct the reference, or publish the file",
        _STATUS,
        '<video src="/missing.mp4">',
        title="Videos and sounds that do not exist",
    ),
    AuditRule(
        "broken-redirect",
        ERROR,
        "the page sends visitors to a URL at which no file of the site answers",
        "correct the redirect, or remove the page",
        _REDIRECTS,
        '<meta http-equiv="refresh" content="0; url=/missing.html">',
        title="Redirects to pages that do not exist",
    ),
    AuditRule(
        "redirect-loop",
        ERROR,
        "redirects lead from these pages back to them",
        "let each redirect lead to a page with content",
        _REDIRECTS,
        "a.html redirects to b.html, and b.html to a.html",
        title="Redirects in a circle",
    ),
    AuditRule(
        "missing-section",
        WARNING,
        "these pages link into a folder that the site's folder does not have",
        "if another project publishes that folder, set the code to off or keep a baseline; else correct the links",
        _STATUS,
        "a link to /blog/post.html, and no folder blog",
        title="Links into folders that do not exist",
    ),
    AuditRule(
        "other-base-url",
        ERROR,
        "links begin with a folder that the site's folder does not have, and without it they name files",
        "build the site for this base_url, or set base_url to the URL with that folder",
        _STATUS,
        "links to /project/a.html, where the file is a.html",
        title="Links for another base_url",
    ),
    AuditRule(
        "link-case",
        WARNING,
        "a link or an image differs from the name of a file in capital letters only, which to many servers is another "
        "file",
        "write the name as the file has it",
        _STATUS,
        "a link to /About.html, where the file is about.html",
        title="References in the wrong case",
    ),
    AuditRule(
        "link-unicode",
        WARNING,
        "a link or an image has the same name as a file in another Unicode form (NFC or NFD), which to most servers is "
        "another file though it looks the same",
        "give the file the name in NFC, as the link has it",
        _STATUS,
        "a link to /café/ in NFC, where the folder's name is in NFD, as macOS writes it",
        title="References in another Unicode form",
    ),
    AuditRule(
        "link-redirect",
        WARNING,
        "these pages link to a page that only redirects",
        "link to the page that it redirects to",
        _REDIRECTS,
        "a link to a page with a meta refresh",
        title="Links to redirects",
    ),
    AuditRule(
        "link-variant",
        NOTE,
        "these pages link to a page at another URL than the one that the sitemap lists",
        "link to the listed URL, so that all links agree",
        _CANONICAL,
        "a link to /docs/index.html, where /docs/ is listed",
        title="Links to other forms of a URL",
    ),
    AuditRule(
        "unlinked",
        WARNING,
        "no link in the HTML of another page leads to the page; links that scripts make are not seen",
        "link to the page, or remove it",
        _LINKS,
        "a listed page that no page links to",
        title="Pages that nothing links to",
    ),
    AuditRule(
        "unreachable",
        WARNING,
        "pages link to these pages, but no links in HTML lead there from the home page",
        "link to one of the pages from a page that can be reached",
        _LINKS,
        "two pages that link only to each other",
        title="Pages that cannot be reached from the home page",
    ),
    AuditRule(
        "deep",
        NOTE,
        "the page is more than 10 clicks away from the home page",
        "link to the page, or to a page on the way there, from a page nearer to the home page",
        _LINKS,
        "the last of 20 pages that only link to the next",
        title="Pages far from the home page",
    ),
    AuditRule(
        "canonical-missing",
        ERROR,
        "the page's rel=canonical names a URL at which no file of the site answers",
        "correct the link, or remove it",
        _CANONICAL,
        '<link rel="canonical" href="/missing.html">',
        title="Canonical links to pages that do not exist",
    ),
    AuditRule(
        "canonical-noindex",
        ERROR,
        "the page's rel=canonical names a page with noindex",
        "name a page that may be indexed",
        _CANONICAL,
        "a canonical link to a page with noindex",
        title="Canonical links to pages with noindex",
    ),
    AuditRule(
        "canonical-loop",
        ERROR,
        "canonical links lead from these pages back to them",
        "let the canonical link of each page name the same page",
        _CANONICAL,
        "a.html names b.html as canonical, and b.html names a.html",
        title="Canonical links in a circle",
    ),
    AuditRule(
        "canonical-chain",
        WARNING,
        "the page's rel=canonical names a page that redirects, or that names another page as canonical",
        "name the last page of the chain",
        _CANONICAL,
        "a.html names b.html as canonical, and b.html names c.html",
        title="Canonical links to pages that are not canonical",
    ),
    AuditRule(
        "canonical-several",
        WARNING,
        "the page names several URLs as canonical, so search engines may ignore them all",
        "keep one of the links",
        _CANONICAL,
        "two canonical links with different URLs",
        title="Pages with several canonical links",
    ),
    AuditRule(
        "alternate-missing",
        ERROR,
        "the page names a version in another language at which no file of the site answers",
        "correct the link, or remove it",
        _HREFLANG,
        '<link rel="alternate" hreflang="de" href="/missing.html">',
        title="Versions in other languages that do not exist",
    ),
    AuditRule(
        "alternate-unlisted",
        WARNING,
        "the page names a version in another language that is left out of the sitemap",
        "name the page that is listed, or let that version be indexed",
        _HREFLANG,
        "an alternate with noindex",
        title="Versions in other languages that are not listed",
    ),
    AuditRule(
        "alternate-unreturned",
        WARNING,
        "the page names a version in another language that does not name the page back, so search engines ignore it",
        "add the link to the other version",
        _HREFLANG,
        "en.html names de.html, and de.html does not name en.html",
        title="Versions in other languages without a return link",
    ),
    AuditRule(
        "alternates-contradict",
        WARNING,
        "the page names several URLs for one hreflang",
        "keep one URL for each hreflang",
        _HREFLANG,
        "two alternates with hreflang de",
        title="Several versions for one language",
    ),
    AuditRule(
        "alternates-without-self",
        WARNING,
        "the page names versions in other languages, but not itself",
        "add a link to the page itself",
        _HREFLANG,
        "en.html names only de.html",
        title="Versions in other languages without the page itself",
    ),
    AuditRule(
        "hreflang-code",
        WARNING,
        "an hreflang is not a language code",
        "write a language such as en, or a language and a region such as en-GB",
        _HREFLANG,
        'hreflang="uk-english"',
        title="Unknown language codes",
    ),
    AuditRule(
        "missing-title",
        WARNING,
        "the page has no title",
        "give the page a title",
        _TITLES,
        "<title></title>",
        title="Pages without a title",
    ),
    AuditRule(
        "duplicate-title",
        NOTE,
        "these pages have the same title",
        "give each page a title of its own",
        _TITLES,
        "two pages with the title Home",
        title="Pages with the same title",
    ),
    AuditRule(
        "missing-description",
        NOTE,
        "the page has no meta description, and most others of the site have one",
        "describe the page in a sentence or two",
        _SNIPPETS,
        "a page without <meta name=description>",
        title="Pages without a description",
    ),
    AuditRule(
        "duplicate-description",
        NOTE,
        "these pages have the same meta description",
        "give each page a description of its own, or none",
        _SNIPPETS,
        "two pages with one description",
        title="Pages with the same description",
    ),
    AuditRule(
        "unreadable",
        WARNING,
        "the page could not be read, so its links were not checked",
        "correct the file's permissions",
        "Waypost",
        "a file without permission to read it",
        title="Pages that could not be read",
    ),
)

AUDIT_RULES: Mapping[str, AuditRule] = MappingProxyType({rule.code: rule for rule in _ALL})
