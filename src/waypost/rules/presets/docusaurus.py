"""The sources of Docusaurus' pages."""

from collections.abc import Iterator
from dataclasses import dataclass

from waypost.config.generator_presets import SourceMapping
from waypost.core.data_files import DataError, load_json
from waypost.rules.presets.config_text import block, has_key, script, scripts, strings, value
from waypost.rules.presets.page_tree import choice, copied, folder_name, limited, plain
from waypost.sources.project_folder import ProjectFolder

_DOCS = (".md", ".mdx")
_MOST_TREES = 1_000
"""The limit of the product of versions and languages; the largest sites have a few hundred."""
_PAGES = (".js", ".jsx", ".ts", ".tsx", ".md", ".mdx")
_PLUGIN = "docusaurus-plugin-content"
_DATE = "{#y}-{#m}-{#d}"
_POSTS = (f"{_DATE}-{{slug}}", f"{_DATE}-{{slug}}/index", "{#y}/{#m}/{#d}/{slug}", f"{_DATE}/{{slug}}")


@dataclass(frozen=True, slots=True)
class _Contents:
    """Pages below a path of the site, the folder of their files, and the folder of their translations in a language."""

    at: str
    folder: str
    translated: str
    endings: tuple[str, ...] = _DOCS


def docusaurus(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """The documents of each version, the blog's posts and the pages, in the default language and the others."""
    config = script(project, scripts("docusaurus.config"))
    pages = _Contents("", "src/pages/", f"{_PLUGIN}-pages/", _PAGES)
    trees = [*_docs(project, config), pages]
    posts = _blog(config)
    rows = [row for tree in trees for row in _tree(tree, "")] + (_posts(posts, "") if posts else [])
    locales = _locales(config)
    limited(len(locales) * len(trees), _MOST_TREES)
    for locale in locales:
        rows += [row for tree in trees for row in _tree(tree, locale)] + (_posts(posts, locale) if posts else [])
    return (*rows, copied("static/"))


def _locales(config: str) -> list[str]:
    """The languages whose pages are below a folder of the language."""
    found = block(config, "i18n")
    default = value(found, "defaultLocale") or "en"
    return [plain(each) for each in strings(block(found, "locales")) if each != default]


def _docs(project: ProjectFolder, config: str) -> Iterator[_Contents]:
    """The documents by version; none if the configuration gives the versions other paths, or has several sets."""
    options = block(config, "docs")
    if has_key(block(options, "versions"), "path") or has_key(options, "id") or "plugin-content-docs" in config:
        return
    at, folder = folder_name(value(options, "routeBasePath"), "docs"), folder_name(value(options, "path"), "docs")
    current = _Contents(at, folder, f"{_PLUGIN}-docs/current/")
    versions = _versions(project)
    last = plain(value(options, "lastVersion") or "") or (versions[0] if versions else "current")
    if last == "current" or "disableVersioning: true" in options:
        yield current
    else:
        yield _version(at, last)
        yield _Contents(f"{at}next/", current.folder, current.translated)
    for version in versions:
        if version != last:
            yield _version(f"{at}{version}/", version)


def _versions(project: ProjectFolder) -> list[str]:
    """The names of the versions, newest first."""
    try:
        found = load_json(project.text("versions.json") or "[]")
    except DataError:
        return []
    versions = [plain(each) for each in found if isinstance(each, str)] if isinstance(found, list) else []
    limited(len(versions), _MOST_TREES)
    return versions


def _version(at: str, name: str) -> _Contents:
    return _Contents(at, f"versioned_docs/version-{name}/", f"{_PLUGIN}-docs/version-{name}/")


def _blog(config: str) -> _Contents | None:
    """The blog's posts; none if there are several blogs."""
    options = block(config, "blog")
    if "plugin-content-blog" in config:
        return None
    at, folder = folder_name(value(options, "routeBasePath"), "blog"), folder_name(value(options, "path"), "blog")
    return _Contents(at, folder, f"{_PLUGIN}-blog/")


def _folder(contents: _Contents, locale: str) -> str:
    """Where the files of a language are.

    A page without a translation is made of the file in the default language. No row says so: translations are often
    not in the repository, and then such a row would name the wrong file.
    """
    return f"i18n/{locale}/{contents.translated}" if locale else contents.folder


def _tree(contents: _Contents, locale: str) -> list[SourceMapping]:
    """Rows for pages with the paths of their files: a folder's is `index`, `README`, or a file with its name."""
    at, folder = (f"{locale}/" if locale else "") + contents.at, _folder(contents, locale)
    home = [f"{folder}index", f"{folder}README"]
    nested = [f"{folder}{{**path}}{end}" for end in ("/index", "/README", "")]
    same_name = [f"{folder}{{**path}}/{{name}}/{{name}}"]
    rows = [(f"{at}index.html", home), *([(f"{at.removesuffix('/')}.html", home)] if at else [])]
    rows += [(f"{at}{{**path}}{end}", nested) for end in ("/index.html", ".html")]
    rows += [(f"{at}{{**path}}/{{name}}{end}", same_name) for end in ("/index.html", ".html")]
    return [choice(page, stems, contents.endings) for page, stems in rows]


def _posts(blog: _Contents, locale: str) -> list[SourceMapping]:
    at = (f"{locale}/" if locale else "") + blog.at
    stems = [f"{_folder(blog, locale)}{name}" for name in _POSTS]
    return [choice(f"{at}{{#y}}/{{#m}}/{{#d}}/{{slug}}{end}", stems, _DOCS) for end in ("/index.html", ".html")]
