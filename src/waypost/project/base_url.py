"""Finds the base URL of a site that no setting names: by what its files, its generator and its repository say.

No source outvotes another: if two name different base URLs, the owner must say which is right.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from msgspec import Struct

from waypost.core.errors import SourceError
from waypost.core.gzip import decompress_start
from waypost.core.hashing import sample_by_hash
from waypost.core.model import Item, SourceKind
from waypost.core.tables import Table
from waypost.core.urls import is_host_root, normalize_base_url, without_scheme
from waypost.files.folder_source import FolderSource
from waypost.files.source import Source
from waypost.pages.base_url_evidence import agreed, base_at, base_of_file, own_base
from waypost.pages.html_head import HtmlHead, read_head
from waypost.pages.link_votes import is_html, locs_in
from waypost.pages.robots import named_sitemaps
from waypost.pages.selection import Selection
from waypost.pages.url_shapes import stem_of
from waypost.project.host_publications import custom_domains
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import PUBLISHED_BRANCH
from waypost.project.publications import deploys_pages
from waypost.project.site_folder import has_whole_page
from waypost.project.workflow_publications import named_domain
from waypost.settings.hosts import host_of_domain, host_of_url
from waypost.settings.load import ConfigSource
from waypost.settings.output_names import MARK
from waypost.settings.schema import Site

_MOST_ITEMS = 5_000
"""So many names of a folder are looked at, in order."""
_MOST_PAGES = 20
_PAGE_BYTES, _MIN_NAMING = 65_536, 0.25
_SITEMAP_BYTES, _MOST_LOCS, _MOST_SITEMAPS = 65_536, 200, 5
_SITEMAP = re.compile(r"sitemap[^/]*\.xml(\.gz)?\Z", re.IGNORECASE)
_UNKNOWN = Site(base_url="https://site.invalid/")
_OBJECT = r"(?:export[ \t]+default[ \t]+|module\.exports[ \t]*=[ \t]*)(?:\w+\([ \t]*)?\{"
"""The beginning of a configuration in JavaScript, which may have its first keys in the same line."""
_PLUGIN = r"[ \t]*[\w.]+\([\w., ]*\{\s*(?:\w+\s*:\s*\{\s*)?"
"""The beginning of a call that adds a plugin with options (Eleventy, "Sitemap plugin")."""
_URL = r"(https?://[^\s\"'`,)#<>]{1,500})"
_HOST = r"((?:[a-z0-9-]{1,63}\.)+[a-z]{2,24})(?=[\"'\s/]|\Z)"
_OF_TEXTS = (".yml", ".yaml", ".toml")
"""The endings of configurations in which a value is a text, and no expression: one with a host alone lacks `https:`."""
_PATH = r"(/[^\s\"'`,)#<>]{0,500})"
_SAMPLES = re.compile(
    r"(placeholder\.)?example\.(com|org|net)|(www\.)?(your-?(site|domain|website|docs?)?\.(com|org|net|io)|your-?site-?url\.com"
    r"|(my-?(site|domain|website|docs)|mysite|yoursite|yourdomain|domain|website)\.(com|org|net|io))"
    r"|your-[\w-]+\.\S+|(your-?)?(user-?name|org|name)\.(github|gitlab)\.io|<.*"
    r"|\S+\.tld|localhost(\.\S+)?|127\.\S+|0\.0\.0\.0|\S+\.(test|invalid|localhost|local|internal)"
    r"|jekyllrb\.com|gohugo\.io|themes\.gohugo\.io|example\.\S+\.example"
)
"""Hosts that stand for one's own in the examples of generators and of their themes, and this machine."""
_FORGES = re.compile(
    r"((www|gist|raw)\.)?github\.com|(\S+\.)?(githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sourceforge\.net|npmjs\.com"
    r"|pypi\.org|crates\.io|raw\.githack\.com|rawgit\.com|htmlpreview\.github\.io)"
)
"""Hosts where code is, and no site of its owner."""


_READMES = ("README.md", "readme.md", "Readme.md", "README.rst", "README.adoc", "README.org", "README.txt", "README")
_TOLD = re.compile(r"https?://[\w.-]{3,252}\w(?:/[\w./~-]{0,300})?", re.ASCII)
_HOSTED = re.compile(
    r"\b(?:demo|theme|template|package|image|api|app)\b[^\n]{0,80}"
    r"|\b(?:hosted|published|deployed|available|live|served|online)(?: \w+){0,2}? (?:at|under):?"
    rf"[ \n*_`<\[(]{{0,6}}(?:[^\n\]]{{0,60}}\]\()?(?P<url>{_TOLD.pattern})",
    re.ASCII | re.IGNORECASE,
)
"""How README says where the site is, by whatever name; what is said of something else is passed over."""
_DOWNLOADS = re.compile(r"\b(?:curl|wget) [^\n]*")
"""Commands whose URLs are no pages."""
_DOMAIN_NAME = re.compile(r"(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|info|app|xyz|site|blog|edu|gov)")
_OF_SITES = re.compile(r"[-_.](?:web)?(?:site|docs?|documentation|blog|www)\Z")
"""How the name of a repository ends that has a site beside others."""
_HOST_FILES = ("netlify.toml", "vercel.json")
_BUILT_FOR = re.compile(
    r"""\b(?:(?:SITEURL|SITE_URL|HUGO_BASEURL)\b["']?[ \t]*[:=]"""
    r"""|(?:hugo|zola)[ \t](?:(?!(?:hugo|zola)[ \t])[^\n]){0,500}?(?:-b|--baseURL|-u|--base-url)(?:[ \t]|=))"""
    r"""[ \t]*["']?(https?://[\w.:/~-]{4,500})""",
    re.IGNORECASE,
)
"""The variables and options by which a command builds a site for a base URL (each generator's documentation)."""
_FILES_OF_COMMANDS = ("Makefile", "package.json")
_WORDS = re.compile(r"[a-z0-9]{3,}")
_MIN_NAME = 5
"""A shorter name, such as `docs` or `blog`, is in the hosts of others. Of 41 repositories whose place their name alone
told, this finds the one that was wrong, a domain of two sites more, and nothing false."""


_COPIED = ("static", "public", "docs", "docs/public", "src", "source", "docs/.vuepress/public", ".vitepress/public")
"""The folders whose files generators copy into the site as they are (each generator's documentation)."""


class BuiltFiles:
    """The files of a built site that may name its base URL; no more than a few dozen are read."""

    def __init__(self, source: Source) -> None:
        self._source = source
        found = source.items(Selection(_UNKNOWN).folder_exclusion_reason)
        items = [each for each in islice(found, _MOST_ITEMS) if isinstance(each, Item)]
        self._keys = {item.key: item for item in items}
        self._stems = {stem_of(key) for key in self._keys if is_html(key)}

    def of_pages(self) -> tuple[str, int, str] | None:
        """The base URL that canonical links name, or og:url of pages without one, of how many pages, and one's key."""
        bases: dict[str, str] = {}
        sample = sample_by_hash(filter(is_html, self._keys), _MOST_PAGES, str)
        for key in sample:
            head = self._head(key)
            if head and (base := own_base(head, key)):
                bases[key] = base
        # A few pages may name where they were published first.
        base = agreed(bases.values()) if len(bases) > _MIN_NAMING * len(sample) else None
        return (base, len(bases), min(key for key in bases if bases[key] == base)) if base else None

    def of_sitemaps(self, *, own: bool = False) -> tuple[str, str] | None:
        """The base URL that the locs of a sitemap name which lies in the site, and that sitemap's key.

        The sitemaps are those of other tools, or with `own` those that Waypost has written.
        """
        for key in islice(sorted(filter(_SITEMAP.search, self._keys), key=_by_depth), _MOST_SITEMAPS):
            body = decompress_start(self._read(key, _SITEMAP_BYTES))
            locs = islice(locs_in(body) if (MARK.encode() in body) == own else (), _MOST_LOCS)
            if base := agreed(base for loc in locs if (base := self._base_of_loc(loc))):
                return base, key
        return None

    def of_robots_txt(self) -> str | None:
        """The base URL that the `Sitemap:` lines of robots.txt name: of a sitemap in the site, or else its folder."""
        try:
            text = self._source.find("robots.txt") or b""
        except (OSError, SourceError):
            return None
        urls = islice(named_sitemaps(text), _MOST_LOCS)
        return agreed(base for url in urls if (base := self._base_of_sitemap(url)))

    def _head(self, key: str) -> HtmlHead | None:
        return read_head(self._read(key, _PAGE_BYTES), is_whole=True)

    def _read(self, key: str, size: int) -> bytes:
        try:
            return self._source.read(self._keys[key], size).data
        except OSError:
            return b""

    def _base_of_loc(self, loc: str) -> str | None:
        """The shortest base URL of which the loc names a file of the site."""
        return base_of_file(loc, lambda rest: stem_of(rest) in self._stems or rest in self._keys)

    def _base_of_sitemap(self, url: str) -> str | None:
        try:
            folder = urlsplit(url).path.rpartition("/")[0].strip("/")
        except ValueError:  # such as a bracket in the host
            return None
        return base_of_file(url, lambda rest: rest in self._keys) or base_at(url, folder)


def _by_depth(key: str) -> tuple[int, str]:
    return key.count("/"), key


class _UrlKeys(Struct, frozen=True):
    """A row of `url_keys.toml`, which says what each column is."""

    generator: str
    url: str
    in_configuration: str = ""
    path: str = ""
    files: tuple[str, ...] = ()
    is_nested: bool = False
    is_in_links: bool = False


_URL_KEYS = Table(Path(__file__).with_name("url_keys.toml"), _UrlKeys, "generator")


class NamedBase(NamedTuple):
    """A base URL, and what names it."""

    base_url: str
    evidence: str

    def as_setting(self) -> ConfigSource:
        """The base URL as a source of settings, which any other overrides."""
        return ConfigSource("the site itself", {"base_url": self.base_url})


def configured_url(project: ProjectFolder, kind: SourceKind) -> NamedBase | None:
    """The base URL that the configuration of a folder's generator names as a plain text, or None."""
    keys = _URL_KEYS.get(kind.generator)
    if keys is None:
        return None
    for file in (*keys.files, *_configurations(project, kind)):
        text = project.text(file)
        key = (file not in keys.files and keys.in_configuration) or keys.url
        is_nested = keys.is_nested or file.endswith(".json")  # whose keys are indented
        url = _value(text, key, _URL, is_nested=is_nested)
        if not url and file.endswith(_OF_TEXTS) and (host := _value(text, key, _HOST, is_nested=is_nested)):
            url = f"https://{host}"
        if url:
            path = _value(text, keys.path, _PATH, is_nested=is_nested) if keys.path else ""
            base = _joined(url, path)
            return NamedBase(base, f"`{key}` in {file}") if base else None
    return None


def configured_path(project: ProjectFolder, kind: SourceKind) -> str:
    """The path of the site's root that the configuration of a folder's generator names; empty if it names none."""
    keys = _URL_KEYS.get(kind.generator)
    if keys is None or not keys.path:
        return ""
    files = (*keys.files, *_configurations(project, kind))
    paths = (_value(project.text(file), keys.path, _PATH, is_nested=keys.is_nested) for file in files)
    return next(filter(None, paths), "")


def names_no_path(project: ProjectFolder, kind: SourceKind) -> bool:
    """Whether a generator's configuration must name the path of the site's root, if it has one, and names none."""
    keys = _URL_KEYS.get(kind.generator)
    return keys is not None and keys.is_in_links and not re.search(rf"\b{keys.path}\b", project.text(kind.file))


def _configurations(project: ProjectFolder, kind: SourceKind) -> tuple[str, ...]:
    """The file by which the generator was recognised, or Jekyll's configuration, if its Gemfile showed it."""
    if kind.generator == "Jekyll":
        return tuple(filter(project.has_file, ("_config.yml", "_config.yaml", "_config.toml")))
    return (kind.file,)


def _value(text: str, key: str, value: str, *, is_nested: bool) -> str:
    """The first value of a key that is not in a comment, as YAML, TOML, JSON, Python and JavaScript write it."""
    table, _, last = key.rpartition(".")
    key = rf"""{table}["']?\s*:\s*\{{[^{{}}]{{0,2000}}?["']?{last}""" if table else key
    indent = rf"(?:{_OBJECT}[^{{}}\n]*?(?<=[{{,\s])|{_PLUGIN})?[ \t]*" if is_nested else ""
    call = r"(?:new[ \t]+URL\([ \t]*)?"
    found = re.search(
        rf"""^{indent}["']?{key}["']?[ \t]*[:=][ \t]*{call}["'`]?{value}""", text, re.MULTILINE | re.IGNORECASE
    )
    return found[1] if found else ""


def _joined(url: str, path: str) -> str | None:
    """The base URL; a path that the URL has already is not added again."""
    added = path.strip("/")
    try:
        own = urlsplit(url).path.strip("/")
        return normalize_base_url(url if not added or own == added else f"{url.rstrip('/')}/{added}/")
    except ValueError:
        return None


class PagesPlace(Struct, frozen=True):
    """What is known of a site's place on GitHub Pages.

    It is that of a `repository`, as `owner/name`, or empty, and there in a `folder`. The repository `is_mentioned` if a
    workflow, a script or a branch shows that it publishes to GitHub Pages, and `is_declared` if a workflow publishes
    this very site. `cname` is the text of the CNAME that is published now, and `cnames` are those of files from which
    it may come, by the words for each.
    """

    repository: str = ""
    folder: str = ""
    is_mentioned: bool = False
    is_declared: bool = False
    cname: str = ""
    cnames: Mapping[str, str] = {}

    @property
    def url(self) -> str:
        """The base URL there, if the site has no domain of its own; empty if no repository is known."""
        own = pages_url(self.repository)
        return f"{own}{self.folder}/" if own and self.folder else own


NO_PLACE = PagesPlace()


def find_base_urls(
    site: Path, kind: SourceKind, project: Path, place: PagesPlace = NO_PLACE, root: Path | None = None
) -> Sequence[NamedBase]:
    """The base URLs that are named for the site in a folder, each once, in the order of their evidence.

    `kind` is what `project` is, which is the folder itself or one above it that a generator builds it from, and `root`
    is the root of the repository. Where the repository's name alone says where the site is, README and package.json may
    name another URL that has the name in it: then the owner must say which is right.
    """
    is_source = kind.kind == "generator" and root is not None and project.resolve() == root.resolve()
    is_below = root is not None and site.resolve() != root.resolve() and not (is_source or place.is_declared)
    if root and is_below and has_whole_page(root):  # that page is at the place of the repository
        place, root = NO_PLACE, None
    built = BuiltFiles(FolderSource(site))
    found = [each for each in _named(built, site, kind, project, root or site) if not _is_of_no_site(each.base_url)]
    own = place.url
    if (published := _host_in(place.cname)) and not any(_is_on_host(each.base_url, published) for each in found):
        found.append(NamedBase(published, f"CNAME in origin/{PUBLISHED_BRANCH}"))
    found += _of_robots_txt(built, [each.base_url for each in found], own)
    found = (
        found or _of_last_build(site, own) or (_of_source(project, place.cnames) if kind.kind == "generator" else [])
    )
    domains = [] if found or not own else list(filter(None, map(unneeded_cname, (site, root or site))))
    texts = _texts_for_people(root or site)
    if domains and (file := _naming(texts, domains[0])):
        return [NamedBase(domains[0], f"CNAME and {file}")]
    found += [NamedBase(each, "CNAME, which GitHub Pages ignores where a workflow deploys") for each in domains[:1]]
    path = configured_path(ProjectFolder(project), kind)
    if not (found or domains) and path and path.strip("/").lower() != urlsplit(own).path.strip("/").lower():
        own = ""  # which its links contradict
    if own and (domains or all(_contradicts(each.base_url, own, is_of_pages=place.is_mentioned) for each in found)):
        found.append(NamedBase(own, f"the name of the repository {place.repository} on GitHub"))
        is_alone = len(found) == 1
        told = _told(texts, place.repository, own, mentions_pages=place.is_mentioned) if is_alone else None
        found += [told] if told else []
    return _distinct(found)


def contradictions(base_url: str, kind: SourceKind, project: Path, repository: str) -> list[NamedBase]:
    """What a set base URL contradicts: the generator's configuration, or the repository's place on GitHub Pages.

    What the pages say of it is known when they are read.
    """
    configured = configured_url(ProjectFolder(project), kind)
    named = [configured] if configured else []
    if (own := pages_url(repository)) and _contradicts(base_url, own):
        named.append(NamedBase(own, f"the name of the repository {repository} on GitHub"))
    return [
        each
        for each in named
        if not _is_of_no_site(each.base_url) and without_scheme(each.base_url) != without_scheme(base_url)
    ]


def told_base(root: Path, project: Path, kind: SourceKind, repository: str) -> NamedBase | None:
    """The base URL that the repository's name shows, with README, or some URL of a configuration or of a command.

    It is to be asked for, as nothing says that it is the site's. None of Read the Docs, where the base URL is that of a
    version, which its builder knows.
    """
    folder = ProjectFolder(project)
    configuration = {file: folder.text(file) for file in (kind.file, *_HOST_FILES) if file and folder.has_file(file)}
    texts, own = _texts_for_people(root), pages_url(repository)
    found = _told({**texts, **configuration}, repository, "", mentions_pages=False)
    if own and not found and (file := _naming(texts, own)):
        return NamedBase(own, file)
    found = found or _of_commands(ProjectFolder(root))
    is_of_version = found and host_of_url(found.base_url) == "read-the-docs"
    return None if is_of_version else found


def _texts_for_people(root: Path) -> Mapping[str, str]:
    """What README and package.json say of a project, by the file."""
    folder = ProjectFolder(root)
    readme = next(filter(folder.has_file, _READMES), "")
    return {readme: folder.text(readme) if readme else "", "package.json": str(folder.package.get("homepage", ""))}


def _naming(texts: Mapping[str, str], base_url: str) -> str:
    """The first file whose text names a base URL; empty if none does."""
    return next((name for name, text in texts.items() if without_scheme(base_url) in text), "")


def _told(texts: Mapping[str, str], repository: str, own: str, *, mentions_pages: bool) -> NamedBase | None:
    """The URL for people that has the repository's name in its host, or in its path on the owner's domain.

    Of several in one text it is the one that is named most often, or first; else the one at which README says that the
    site is hosted.

    None if they are told its place on GitHub Pages, too. That of another known host is the one of another publication
    where the repository publishes to GitHub Pages.
    """
    if own and any(without_scheme(own).rstrip("/") in text.lower() for text in texts.values()):
        return None
    name = repository.lower().partition("/")[2]
    if _DOMAIN_NAME.fullmatch(name) and host_of_domain(name) != "github-pages":  # where only its owner's has a place
        return NamedBase(f"https://{name}/", "the name of the repository")
    for file, text in texts.items():
        found = Counter[str]()
        for url in islice(_TOLD.findall(_DOWNLOADS.sub("", text)), _MOST_LOCS):
            known = host_of_url(url)
            is_other = known == "github-pages" or (known and mentions_pages)
            if not is_other and (base := _named_like(url, repository, is_asked=not own)) and not _is_of_no_site(base):
                found[base] += 1
        if found:
            return NamedBase(found.most_common(1)[0][0], file)
    for file, text in texts.items():
        bases = (base_at(found["url"], "") for found in islice(_HOSTED.finditer(text), _MOST_LOCS) if found["url"])
        if base := next((each for each in bases if each and not (_is_of_no_site(each) or host_of_url(each))), None):
            return NamedBase(base, file)
    return None


def _named_like(url: str, repository: str, *, is_asked: bool) -> str | None:
    """The base URL that a URL shows by a repository's name: in its host, or as its path on the owner's domain.

    On that domain, a word of the name may also begin the host. If it `is_asked` about, the host may also be a part of
    the name, or that domain itself, if the name is that of somebody's site.
    """
    owner, _, whole = repository.lower().partition("/")
    owner, name = _letters(owner), _letters(_OF_SITES.sub("", whole) if is_asked else whole)
    host, (first, *_) = _letters(urlsplit(url).hostname or ""), urlsplit(url).path.strip("/").split("/")
    is_in_name = is_asked and len(host) >= _MIN_NAME and host in name
    if (len(name) >= _MIN_NAME and name in host) or is_in_name:
        return base_at(url, "")
    if len(owner) < _MIN_NAME or owner not in host:
        return None
    begin = (urlsplit(url).hostname or "").removeprefix("www.").partition(".")[0]
    if is_asked and _letters(begin) == owner and _OF_SITES.search(f"-{whole}"):
        return base_at(url, "")
    if _letters(begin) != owner and not {*_WORDS.findall(begin)}.isdisjoint(_WORDS.findall(whole)):
        return base_at(url, "")
    return base_at(url, first) if _letters(first.lower()) == name else None


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text)


def unneeded_cname(site: Path) -> str:
    """The base URL of a CNAME where a workflow deploys, which GitHub Pages ignores; empty without one."""
    return _named_host(ProjectFolder(site)) or ""


def _of_source(project: Path, cnames: Mapping[str, str]) -> list[NamedBase]:
    """The host in a CNAME among the files that a generator copies into the site, if nothing else names one."""
    names = (f"{path}/CNAME" for path in _COPIED)
    texts = {**{name: ProjectFolder(project).text(name) for name in names}, **cnames}
    found = ((name, _host_in(text)) for name, text in texts.items())
    return [NamedBase(host, name) for name, host in found if host][:1]


def _of_last_build(site: Path, pages_url: str) -> list[NamedBase]:
    """The base URL of Waypost's own sitemap, which counts where nothing else names one.

    If it is another repository's on GitHub Pages, this is a fork, or was renamed: the owner must say which is right.
    """
    named = BuiltFiles(FolderSource(site)).of_sitemaps(own=True)
    if named is None or _is_of_no_site(named[0]):
        return []
    last = NamedBase(named[0], f"the URLs in {named[1]}, which an earlier build wrote")
    is_of_other = urlsplit(last.base_url).netloc.endswith(".github.io") and last.base_url != pages_url
    if pages_url and is_of_other:
        return [last, NamedBase(pages_url, "the name of the repository on GitHub")]
    return [last]


def _of_robots_txt(built: BuiltFiles, others: Sequence[str], pages_url: str) -> list[NamedBase]:
    """What robots.txt names, if the site may be at its host's root: crawlers read it nowhere else (RFC 9309, 2.3).

    There it may name sitemaps in folders, too, which contradict nothing.
    """
    named = built.of_robots_txt()
    if named is None or _is_of_no_site(named):
        return []
    host = urlsplit(named).hostname
    on_host = [each for each in (*others, pages_url) if urlsplit(each).hostname == host]
    is_read = all(map(is_host_root, [*others, *on_host]))
    decides = is_read and (is_host_root(named) or not on_host)
    return [NamedBase(named, "the `Sitemap:` line of robots.txt")] if decides else []


def _named(built: BuiltFiles, site: Path, kind: SourceKind, project: Path, root: Path) -> Iterator[NamedBase]:
    if pages := built.of_pages():
        base, count, key = pages
        what = f"the canonical link of {key}" if count == 1 else f"the canonical links of {count} pages, such as {key}"
        yield NamedBase(base, what)
    if sitemap := built.of_sitemaps():
        yield NamedBase(sitemap[0], f"the URLs in {sitemap[1]}")
    if host := _of_cname(site) or _of_cname(root):
        yield NamedBase(host, "CNAME")
    elif host := _host_in(named_domain(ProjectFolder(root).workflows)):
        yield NamedBase(host, "the CNAME that a workflow writes")
    for domain, file in custom_domains(ProjectFolder(project)):
        if host := _host_in(domain):
            yield NamedBase(host, f"the custom domain in {file}")
    if configured := configured_url(ProjectFolder(project), kind):
        yield configured


def _of_commands(root: ProjectFolder) -> NamedBase | None:
    """The first base URL for which a command of the project builds some site."""
    for file, text in {**root.workflow_texts, **{name: root.text(name) for name in _FILES_OF_COMMANDS}}.items():
        bases = (_joined(found[1], "") for found in islice(_BUILT_FOR.finditer(text), _MOST_LOCS))
        if base := next((each for each in bases if each and not _is_of_no_site(each)), None):
            return NamedBase(base, f"what {file} builds it for")
    return None


def _of_cname(site: Path) -> str | None:
    """The host in CNAME, which GitHub Pages obeys where it publishes a branch, and not where a workflow deploys."""
    folder = ProjectFolder(site)
    return None if deploys_pages(folder) else _named_host(folder)


def _named_host(folder: ProjectFolder) -> str | None:
    return _host_in(folder.text("CNAME"))


def _host_in(text: str) -> str | None:
    names = text.split()
    if not names:
        return None
    try:
        return normalize_base_url(f"https://{names[0]}")
    except ValueError:
        return None


def pages_url(repository: str) -> str:
    """Where GitHub Pages publishes a repository without a domain of its own (GitHub, "Types of GitHub Pages sites")."""
    owner, _, name = repository.lower().partition("/")
    if not name:
        return ""
    host = f"https://{owner}.github.io/"
    return host if name == f"{owner}.github.io" else f"{host}{repository.partition('/')[2]}/"


def _is_of_no_site(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    return bool(_SAMPLES.fullmatch(host) or _FORGES.fullmatch(host)) or "." not in host


def _is_on_host(base_url: str, other: str) -> bool:
    return urlsplit(base_url).hostname == urlsplit(other).hostname


def _contradicts(base_url: str, pages_url: str, *, is_of_pages: bool = False) -> bool:
    """Whether a base URL is on the owner's host of GitHub Pages, but in another place there than the repository's.

    So does one on another known host's domain, if the site is known to be of GitHub Pages. Any other base URL is a
    domain of the site's own, to which GitHub Pages redirects.
    """
    host = urlsplit(base_url).hostname or ""
    is_elsewhere = is_of_pages and host_of_url(base_url) not in ("", "github-pages")
    return is_elsewhere or (host == urlsplit(pages_url).hostname and base_url != pages_url)


def _distinct(found: Sequence[NamedBase]) -> tuple[NamedBase, ...]:
    """Each base URL once; of two that differ only in http and https, the one with https."""
    kept: dict[str, NamedBase] = {}
    for each in found:
        plain = each.base_url.partition("://")[2]
        if plain not in kept or (each.base_url > kept[plain].base_url):
            kept[plain] = NamedBase(each.base_url, kept[plain].evidence if plain in kept else each.evidence)
    return tuple(kept.values())
