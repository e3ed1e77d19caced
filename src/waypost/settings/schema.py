"""Every setting: one field of `Site` each, and nothing else to edit but what `docs/generate.py` writes."""

from dataclasses import dataclass, field
from functools import cached_property

from waypost.core.hashing import content_digest
from waypost.core.list_texts import LANGUAGES
from waypost.core.model import OPEN_SHAPES, OPEN_URL_FORM, LinkedShapes, UrlEntry, UrlForm
from waypost.core.private_hosts import NO_PRIVATE_HOST, PrivateHosts
from waypost.settings import checks, table_checks
from waypost.settings.host_rules import HostRules
from waypost.settings.hosts import HOSTS
from waypost.settings.output_formats import FILE_FORMATS
from waypost.settings.setting import choice_setting, flag_setting, setting, settings_of
from waypost.settings.values import (
    CONTENT_TYPE,
    HintOverride,
    IndexNowSettings,
    NewsSettings,
    OtherSitemap,
    Patterns,
    SourceMapping,
)


@dataclass(frozen=True, slots=True)
class FileLimits:
    """The size limits of a file; `bytes` is its uncompressed size (sitemaps.org 0.9, "Sitemap index")."""

    urls: int
    sitemaps: int
    bytes: int


LIMITS = {  # the protocol's first limits, and those of today, by which the files of other tools are judged
    "strict": FileLimits(urls=50_000, sitemaps=1_000, bytes=10_485_760),
    "current": FileLimits(urls=50_000, sitemaps=50_000, bytes=52_428_800),
}


@dataclass(frozen=True, kw_only=True)
class Site:
    """The checked settings of a site."""

    base_url: str = setting(
        checks.base_url,
        meaning="The URL of the site's root folder.",
        allowed="an absolute http or https URL without query or fragment",
        example='"https://www.example.org/"',
    )
    source_kind: str = choice_setting(
        "auto",
        "static",
        "jekyll",
        "github-pages",
        default="auto",
        meaning="What the site's folder is. auto: recognised by its files; static: the site as it is published; "
        "jekyll: a source that the project builds with Jekyll; github-pages: one that GitHub Pages builds. Not for "
        "buckets.",
        affects_state=False,
    )
    host: str = choice_setting(
        "auto",
        *HOSTS,
        default="auto",
        meaning="The host that publishes the site, whose rules decide which URLs are redirected. auto: recognised by "
        "the domain of base_url, or by the files of the project. Not for buckets.",
        affects_state=False,
    )
    include: Patterns = setting(
        checks.patterns,
        [],
        meaning="List only the files that match one of these patterns. Empty: list all pages.",
        allowed="a list of patterns in gitignore syntax",
        example='["docs/", "*.html"]',
    )
    exclude: Patterns = setting(
        checks.patterns,
        [],
        meaning="Leave out the files that match one of these patterns. `!pattern` lists files that are left out by "
        "default, such as those in hidden folders.",
        allowed="a list of patterns in gitignore syntax",
        example='["drafts/", "!.well-known/"]',
    )
    urls: str | tuple[UrlEntry, ...] = setting(
        table_checks.urls,
        [],
        meaning="URLs to list that have no file, such as those that a server renders. A file has one in each line, or "
        "it is CSV or JSON lines. Where the site has a file for a URL, the file decides.",
        allowed="a list of URLs, or of tables with `loc` and optionally `lastmod`, `changefreq`, `priority`, `group`, "
        "`alternates` and `images`; or the path of a file that lists them, relative to the settings file, or `-`",
        example='["/products/1", { loc = "/products/2", lastmod = "2026-03-01" }]',
        affects_state=False,
    )
    sitemaps: tuple[OtherSitemap, ...] = setting(
        checks.each(table_checks.other_sitemap),
        [],
        meaning="Other tools' sitemaps of the same site: their URLs are listed, too. With `as` child, the index lists "
        "the sitemap itself. If one cannot be read or lists nothing, nothing is written, unless it is `optional`.",
        allowed="a list of URLs and of paths relative to the settings file, or of tables with `from` and optionally "
        '`as = "child"` and `optional = true`; a child is a URL, or a path below base_url',
        example='["https://www.example.org/shop/sitemap.xml", { from = "blog/sitemap.xml", as = "child" }]',
        affects_state=False,
    )
    pages: frozenset[str] = setting(
        checks.pages,
        ["html", "pdf"],
        meaning="Which types of files are pages. With markdown, `a.md` is listed as `a.html`, the page made from it. "
        "With content-type, objects of a bucket whose names have no ending are pages if S3 says that they are HTML.",
        allowed="a list of html, pdf, markdown, content-type, or file name endings such as .txt",
        example='["html", "pdf", ".txt"]',
    )
    index_files: tuple[str, ...] = setting(
        checks.each(checks.file_name),
        ["index.html", "index.htm", "index.md", "README.md"],
        meaning="Files that are listed under the URL of their folder; the first name that exists is used. "
        "Empty: every URL contains the file's name.",
        allowed="a list of file names",
        example='["index.html"]',
    )
    drop_html: bool | None = setting(
        checks.flag,
        None,
        meaning="Whether `/about.html` is listed as `/about`. Without this setting, each page has the form that its "
        "own canonical link names, or else that the site's links use.",
        allowed="true or false",
        example="true",
    )
    trailing_slash: str | None = choice_setting(
        "auto",
        "always",
        "never",
        default=None,
        meaning="Whether the URLs of folders, and of pages without `.html`, end with `/`. auto: those of folders do, "
        "those of pages do not. Without this setting, each page has the form that its own canonical link names, or "
        "else that the site's links use.",
    )
    skip_gitignored: bool = flag_setting("Leave out the files that Git ignores.", affects_state=False)
    respect_robots: bool = flag_setting(
        "Leave out the pages that the site's robots.txt disallows for all crawlers (`User-agent: *`), or for Google's.",
        default=True,
    )
    foreign_canonical: str = choice_setting(
        "warn",
        "skip",
        default="warn",
        meaning="What to do with a page whose rel=canonical is a URL outside the site. warn: list it and warn; skip: "
        "leave it out.",
    )
    duplicates: str = choice_setting(
        "warn",
        "first",
        default="warn",
        meaning="What to do with byte-identical pages of a folder that name no canonical URL. warn: list all and warn; "
        "first: list the one nearest to the root, of versions the current one, else the one whose path comes first.",
        affects_state=False,
    )
    versions: str | None = choice_setting(
        "all",
        "newest",
        default=None,
        meaning="Which versions of a site to list, if each has a folder of its own, such as `1.0/` and `latest/`. "
        "newest: stable, latest or the highest release, or what lies above these folders. Folders only. Without this "
        "setting all are listed, and a warning names it if there are three or more.",
        affects_state=False,
    )
    lastmod: str = choice_setting(
        "git",
        "content",
        "none",
        default="git",
        meaning="Where dates come from. git: the commit that last changed the page; content: the time at which Waypost "
        "first saw the page's current text (needs `state`, and is the default with it); none: no dates.",
    )
    evidence: bool = flag_setting(
        "Find the files that a built page is made of by the text that both have, by the generator's own dates, by "
        "links to the source, and by its path. Only where Git does not track the page, and `sources` names no file for "
        "it.",
        default=True,
        affects_state=False,
    )
    lists: str = choice_setting(
        "undated",
        "newest",
        default="undated",
        meaning="Whether a page that only lists others, such as posts, has a date from Git. undated: it has none; "
        "newest: when one of the pages in its main content appeared, or changed its title or summary in its front "
        "matter. Later pages of a pagination have none.",
        affects_state=False,
    )
    honour_generator: bool = flag_setting(
        "Leave out the pages that the generator has built and leaves out of its own sitemap. Folders only. A sitemap "
        "that Git tracks, or that lists less than half of the pages, does not count.",
        affects_state=False,
    )
    significance: str = choice_setting(
        "main",
        "text",
        "bytes",
        default="main",
        meaning="Which commits changed a tracked HTML page. main: those that changed its title or visible text, and "
        "not only lines that many pages share, such as a menu; text: those that changed its title or visible text; "
        "bytes: those that changed the file.",
        affects_state=False,
    )
    date_budget: int = setting(
        checks.count,
        250_000,
        meaning="How many older versions of pages are read to find the dates of tracked pages; one counts once for "
        "each 64 KiB. Pages that need more have no date.",
        allowed="a whole number",
        example="1000000",
        affects_state=False,
    )
    precision: str = choice_setting(
        "second",
        "date",
        default="second",
        meaning="The precision of dates: second (in UTC), or the date without a time.",
    )
    page_dates: bool = flag_setting(
        "Use the date that a page, or its source, gives itself (article:modified_time, dateModified, front matter), if "
        "it gives one. With `lastmod` content, use it only the first time Waypost sees the page."
    )
    sources: tuple[SourceMapping, ...] = setting(
        table_checks.sources,
        [],
        meaning="Which tracked files a built page is made from, to date the page. They come before `evidence`.",
        allowed="a list of tables with `page` and `files`",
        example='[{ page = "team/index.html", files = ["data/team/*.yml"] }]',
        affects_state=False,
    )
    source_repository: str | None = setting(
        checks.text,
        None,
        meaning="A folder of another Git repository that has sources of the site, too, such as a checkout of its "
        "content. Submodules are found without it.",
        allowed="a path relative to the settings file",
        example='"content"',
        affects_state=False,
    )
    state: str | None = setting(
        checks.text,
        None,
        meaning="The file that stores the pages' content digests and dates between runs; for a bucket, the folder of "
        "its state.",
        allowed="a path relative to the settings file; for a bucket also s3://bucket/prefix",
        example='".waypost/state.jsonl"',
        affects_state=False,
    )
    adopt_state: bool = flag_setting(
        "Take over a state file that belongs to another base_url, because the site has moved. For one run: from then "
        "on the file belongs to the new one.",
        affects_state=False,
    )
    preview: bool = flag_setting(
        "Build a preview under another base_url: the dates come from the site's state file, which stays as it is.",
        affects_state=False,
    )
    overrides: tuple[HintOverride, ...] = setting(
        table_checks.overrides,
        [],
        meaning="The changefreq and priority of the pages that match; the last match of each wins. Without an "
        "override, a page has neither.",
        allowed="a list of tables with `match`, and `changefreq` or `priority`",
        example='[{ match = ["/news/"], changefreq = "daily", priority = 0.8 }]',
    )
    groups: tuple[tuple[str, Patterns], ...] = setting(
        table_checks.groups,
        {},
        meaning="Groups of pages that get sitemaps of their own. A page belongs to the first group that it matches.",
        allowed="a table of name = [patterns]",
        example='{ blog = ["/blog/"], docs = ["/docs/"] }',
    )
    name: str = setting(
        checks.output_name,
        "sitemap",
        meaning="The first part of the names of the files that Waypost writes.",
        allowed="letters, digits, `.`, `_` and `-`",
        example='"map"',
    )
    formats: tuple[str, ...] = setting(
        lambda value: checks.choices(*FILE_FORMATS)(value),
        ["xml"],
        meaning="The formats to write. html is a page for visitors, and llms is llms.txt for AI agents, which Google "
        "ignores; both need xml or text too.",
        allowed=f"a list of: {', '.join(FILE_FORMATS)}",
        example='["xml", "html"]',
    )
    stylesheet: bool = flag_setting("Write a CSS file with which browsers show the XML as a table.")
    html_language: str = choice_setting(
        *LANGUAGES,
        default="en",
        meaning="The language of the HTML sitemaps (`formats` with html).",
    )
    html_indexed: bool = flag_setting("Let search engines list the HTML sitemaps, which say noindex otherwise.")
    alternates: bool | str = setting(
        checks.flag_or("folders"),
        False,
        meaning="List each page's versions in other languages (hreflang): those that the page names and that name it "
        "back, and the page itself. folders: also of pages that name none, by the folders that are named for "
        "languages (`/de/about.html` and `/about.html`); for a bucket the same as true.",
        allowed='true, false or "folders"',
        example="true",
    )
    images: bool = flag_setting("List the images of each page.")
    image_hosts: tuple[str, ...] = setting(
        checks.each(checks.host),
        [],
        meaning="Other hosts, besides the site's own, whose images are listed.",
        allowed="a list of host names; `.example.net` means all subdomains",
        example='["cdn.example.org"]',
    )
    videos: bool = flag_setting(
        "List those videos of each page for which it gives a thumbnail, a title, a description, and a file or a player."
    )
    news: NewsSettings | None = setting(
        table_checks.news,
        None,
        meaning="List the articles of the last two days in a news sitemap.",
        allowed="a table with `name`, `language` and optionally `pages`",
        example='{ name = "The Example Times", language = "en", pages = ["/news/"] }',
    )
    gzip: bool = flag_setting("Compress the sitemaps (`sitemap.xml.gz`).")
    limits: str = choice_setting(
        "strict",
        "current",
        default="strict",
        meaning="The largest files to write. strict: 10 MB per file and 1,000 sitemaps per index, which every reader "
        "accepts; current: 50 MB and 50,000.",
    )
    robots_sitemaps: bool = flag_setting("Keep the `Sitemap:` lines of robots.txt up to date.")
    max_removed: int = setting(
        checks.percent,
        50,
        meaning="If the current sitemap lists 20 URLs or more, and more than this share of their pages would no longer "
        "be listed, nothing is written and the run fails. So does a first build that would leave out most of 20 pages "
        "or more by no setting: by noindex, canonical links, robots.txt, or a rule of the host. 100 allows all.",
        allowed="a whole number of percent, 0 to 100",
        example="100",
        affects_state=False,
    )
    compare: str | None = setting(
        checks.text,
        None,
        meaning="The sitemap that is published now, with which changes are counted, if the output folder does not "
        "hold it: the site's own sitemap, for a site that every build makes again.",
        allowed="an http or https URL, or a path relative to the settings file",
        example='"https://www.example.org/sitemap.xml"',
        affects_state=False,
    )
    audit_severity: tuple[tuple[str, str], ...] = setting(
        table_checks.severities,
        {},
        meaning="The severity of findings of `waypost audit`, by their codes, where it is not the usual one. off: the "
        "finding is not reported.",
        allowed="a table of code = error, warning, note or off",
        example='{ broken-link = "warning", deep = "off" }',
        affects_state=False,
    )
    audit_ignore: tuple[str, ...] = setting(
        checks.texts,
        [],
        meaning="Links that `waypost audit` does not check: patterns of their targets as pages write them, or of whole "
        "URLs, in which `*` is any text.",
        allowed="a list of patterns",
        example='["http://localhost*"]',
        affects_state=False,
    )
    outside: tuple[str, ...] = setting(
        checks.path_beginnings,
        [],
        meaning="Paths of base_url's host that others publish, such as other repositories of a GitHub user: `waypost "
        "audit` does not check links to them.",
        allowed="a list of beginnings of paths, with `/` first",
        example='["/api/"]',
        affects_state=False,
    )
    cache_control: str = setting(
        checks.text,
        "max-age=300",
        meaning="The Cache-Control header of the files that are written to a bucket: how long browsers and a CDN, such "
        "as CloudFront, may keep them.",
        allowed="the value of a Cache-Control header",
        example='"max-age=3600"',
        affects_state=False,
    )
    acl: str | None = setting(
        checks.choice("public-read", "bucket-owner-full-control"),
        None,
        meaning="The canned ACL of the files that are written to a bucket, for a site that is public by the ACLs of "
        "its objects.",
        allowed="public-read or bucket-owner-full-control",
        example='"public-read"',
        affects_state=False,
    )
    indexnow: IndexNowSettings | None = setting(
        table_checks.indexnow,
        None,
        meaning="The key with which the URLs that came, went or changed are sent to search engines by IndexNow. With "
        "`file = true`, Waypost also writes the file that holds the key.",
        allowed="a key, or a table with `key` and optionally `file` and `engine`",
        example='"a1b2c3d4e5f60718"',
        affects_state=False,
    )
    cloudfront: str | None = setting(
        checks.text,
        None,
        meaning="The CloudFront distribution from whose caches the written and removed files are taken.",
        allowed="the id of a distribution",
        example='"E2QWRUHAPOMQZL"',
        affects_state=False,
    )
    event_bus: str | None = setting(
        checks.text,
        None,
        meaning="The EventBridge bus that gets an event `SitemapsPublished` after each publication.",
        allowed="the name or the ARN of a bus",
        example='"default"',
        affects_state=False,
    )
    templates: str | None = setting(
        checks.text,
        None,
        meaning="A folder of Jinja templates that replace Waypost's own.",
        allowed="a folder, relative to the settings file",
        example='"sitemap-templates"',
        affects_state=False,
    )

    url_form: UrlForm = OPEN_URL_FORM
    """What the site's links use, for URLs that no setting and no canonical link decides; it is no setting."""
    sitemap_form: LinkedShapes = OPEN_SHAPES
    """The same of the generator's own sitemap."""
    other_base: str = ""
    """The base URL that pages and links name where it is another folder of base_url's host: both mean this site."""
    host_rules: HostRules = field(default_factory=HostRules)
    """What the host says of the site's URLs, by its files; it is no setting."""
    private_hosts: PrivateHosts = NO_PRIVATE_HOST
    """The hosts of private networks that the flags and inputs of the run name; it is no setting."""

    @property
    def file_limits(self) -> FileLimits:
        """The size limits that `limits` names."""
        return LIMITS[self.limits]

    @cached_property
    def digest(self) -> str:
        """A digest of the settings with `affects_state`: a state with another digest must be rebuilt.

        It does not cover the templates, because their text counts; the caller adds a digest of that.
        """
        names = [each.name for each in settings_of(type(self)) if each.affects_state]
        values = [(name, getattr(self, name)) for name in names]
        ordered = [(name, sorted(value) if isinstance(value, frozenset) else value) for name, value in values]
        return content_digest(repr(ordered).encode())

    def may_be_untyped_page(self, key: str) -> bool:
        """Whether the Content-Type of an object with this key decides whether it is a page."""
        return CONTENT_TYPE in self.pages and "." not in key.rpartition("/")[2]

    @property
    def has_url_entries(self) -> bool:
        """Whether the settings name URLs that have no file."""
        return bool(self.urls or self.sitemaps)


SETTINGS = settings_of(Site)
