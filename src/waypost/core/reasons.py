"""The table of reasons for which something is left out of the sitemaps: a row each."""


class Reason(str):
    """A reason to leave something out; as text it is the code that people and `--json` see.

    `meaning` is the reason in a sentence without its end. `is_about_page` says that what is left out might have been
    listed: hidden files and stylesheets never might.
    """

    __slots__ = ("is_about_page", "meaning")

    is_about_page: bool
    meaning: str

    def __new__(cls, code: str, meaning: str, *, is_about_page: bool = True) -> "Reason":
        """Make a reason that is in no table."""
        made = super().__new__(cls, code)
        made.meaning, made.is_about_page = meaning, is_about_page
        return made


REASONS: dict[str, Reason] = {}
"""Every reason by its code, in the order in which the documentation lists them."""


def add_reason(code: str, meaning: str, *, is_about_page: bool = True) -> Reason:
    """Add a row to the table; raises ValueError for a code that it has."""
    if code in REASONS:
        raise ValueError(f"there is a reason {code!r}: {REASONS[code].meaning}")
    REASONS[code] = Reason(code, meaning, is_about_page=is_about_page)
    return REASONS[code]


HIDDEN = add_reason("hidden", "its name, or the name of a folder above it, begins with a dot", is_about_page=False)
DEPENDENCY = add_reason(
    "dependency",
    "it is in node_modules, bower_components or vendor/bundle",
    is_about_page=False,
)
EXCLUDED = add_reason("excluded", "a pattern of `exclude` matches it")
NOT_INCLUDED = add_reason("not-included", "no pattern of `include` matches it")
NOT_A_PAGE = add_reason("not-a-page", "its file type is not among `pages`", is_about_page=False)
EMPTY = add_reason("empty", "it is empty", is_about_page=False)
FRAGMENT = add_reason("fragment", "it is a piece of a page, or a template")
LFS_POINTER = add_reason("lfs-pointer", "it is the pointer that Git LFS keeps in the place of the file")
VERIFICATION = add_reason("verification-file", "it proves to a search engine who owns the site")
APP_SHELL = add_reason("app-shell", "it is the empty page that an application shows for any URL")
DRAFT = add_reason("draft", "it is in the folder for drafts of a generated site, and no page links to it")
COPY = add_reason("copy", 'another page has the same bytes, neither names a canonical URL, and `duplicates` is "first"')
ERROR_PAGE = add_reason("error-page", "it is the page that a server shows for an error")
OUTPUT = add_reason("output", "Waypost writes it", is_about_page=False)
GIT_IGNORED = add_reason("git-ignored", "Git ignores it and `skip_gitignored` is on")
ROBOTS_TXT = add_reason("robots-txt", "robots.txt disallows it for every crawler, or for Google's")
NAME_NOT_UTF8 = add_reason("name-not-utf8", "its name is not UTF-8")
NAME_CONTROL = add_reason("name-control-character", "its name contains a control character")
LOC_TOO_LONG = add_reason("loc-too-long", "its URL would have 2,048 characters or more")
DUPLICATE = add_reason("duplicate-loc", "another file has the same URL and takes precedence")
OWN_FILE = add_reason("own-file", "`urls` or `sitemaps` names it, and the site has a file for it, which decides")
FOREIGN_URL = add_reason("foreign-url", "another tool's sitemap lists it, and it is no URL below `base_url`")
LISTED_TWICE = add_reason("listed-twice", "`urls` or `sitemaps` names it more than once", is_about_page=False)
NOINDEX = add_reason("noindex", "a robots meta tag, or a header of the object or of the host, says noindex or none")
REFRESH = add_reason("refresh", "a meta refresh or a script sends visitors to another page")
REDIRECT = add_reason("redirect", "the object redirects visitors to another page")
HOST_HIDES = add_reason("host-hides", "the host publishes no names that begin with `_`")
HOST_REDIRECT = add_reason("host-redirect", "a rule of the host redirects its URL to another one")
CANONICAL = add_reason("canonical", "rel=canonical names another page of this site")
FOREIGN_CANONICAL = add_reason("foreign-canonical", "rel=canonical names a page of another site")
UNPUBLISHED = add_reason(
    "unpublished",
    "its front matter, or a `_` at the beginning of a name, keeps the generator from publishing it here",
)
FUTURE = add_reason("future", "its date is later than the time of the build, so the generator does not publish it yet")
GENERATOR_EXCLUDED = add_reason(
    "generator-excluded", "the generator leaves it out by its configuration or by its name", is_about_page=False
)
OPTED_OUT = add_reason("opted-out", "the one file that it is made of keeps it out of sitemaps")
GENERATOR_LEFT_OUT = add_reason(
    "generator-left-out", "the generator's own sitemap leaves it out, and `honour_generator` is on"
)
OLD_VERSION = add_reason("old-version", 'it is of an older version of the site, and `versions` is "newest"')
UNTRANSLATED = add_reason(
    "untranslated", "it is in the folder of a language, and has the text of the default language's page"
)
DANGLING_LINK = add_reason("dangling-link", "it is a symbolic link to a file that does not exist")
LINK_OUTSIDE = add_reason("link-outside", "it is a symbolic link out of the site's folder")
LINK_LOOP = add_reason("link-loop", "it is a symbolic link to a folder that contains it")
NESTED_LINK = add_reason("nested-link", "it is a folder linked from inside a linked folder")
NOT_A_FILE = add_reason("not-a-file", "it is neither a file nor a folder")
UNREADABLE = add_reason("unreadable", "it could not be read")

NOT_OF_SETTINGS = frozenset({ROBOTS_TXT, NOINDEX, REFRESH, REDIRECT, HOST_HIDES, HOST_REDIRECT, CANONICAL, UNREADABLE})
"""The reasons that leave out a page, for which no setting of the user's asks."""
NAMES_ANOTHER_PAGE = frozenset({REFRESH, REDIRECT, HOST_REDIRECT, CANONICAL})
"""Those of them by which another page is listed in the place of this one, if the site has it."""

ADVICE: dict[Reason, str] = {
    ROBOTS_TXT: "robots.txt disallows the pages; correct it, or set respect_robots = false",
    NOINDEX: "the pages say noindex; was the site built as a preview or a draft?",
    CANONICAL: "the pages name other URLs as their canonical ones; is base_url right?",
    FOREIGN_CANONICAL: "the pages name another site as canonical; is base_url right?",
    REFRESH: "the pages send visitors elsewhere; name the folder that holds what they lead to",
    UNREADABLE: "the files cannot be read; correct their permissions",
    GIT_IGNORED: "Git ignores the files; set skip_gitignored = false, which is the default",
    HIDDEN: 'the files are hidden; `exclude = ["!.name/"]` lists those in a hidden folder',
    FRAGMENT: "the files are pieces of pages or templates; build the site and name the folder with the result",
    LFS_POINTER: "the files are pointers of Git LFS; fetch the files (`git lfs pull`, or actions/checkout with "
    "`lfs: true`)",
    LINK_OUTSIDE: "the files are links out of the folder; name the folder that they lead to",
}
