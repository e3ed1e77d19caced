"""What MkDocs does beyond mkdocs.yml: pages of the root folder, links that are right on GitHub and in the site.

MkDocs calls the functions without an underscore; its plugin events decide the names and parameters.
"""

import os
import posixpath
import re
from pathlib import Path
from urllib.parse import quote, unquote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pymdownx.slugs import slugify

ROOT = Path(__file__).parents[1]
ROOT_PAGES = {
    "index.md": "README.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
}
"""The pages of the site whose sources are not in docs/, and these sources."""
NO_SITE = "https://docs.example/"
"""The base URL of a site that is not built to be published: nobody can have that host."""
_CODE_OR_LINK = re.compile(r"^```.*?^```|``.*?``|`[^`\n]*`|\]\((?P<link>[^()\s]+)\)", re.DOTALL | re.MULTILINE)
_WITH_SCHEME = re.compile(r"[a-z]+:")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give headings the anchors that they have on GitHub, leave the sitemap to Waypost, and say where the site is."""
    owner, _, name = os.environ.get("GITHUB_REPOSITORY", "").partition("/")
    config.site_url = f"https://{owner.lower()}.github.io/{name}/" if name else NO_SITE
    config.mdx_configs["toc"]["slugify"] = slugify(case="lower")
    config.theme.static_templates.discard("sitemap.xml")
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the root folder. Remove the template of the sitemap, which on_config made an ordinary file."""
    if template := files.get_file_from_path("sitemap.xml"):
        files.remove(template)
    for name, source in ROOT_PAGES.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrite a page's links, which are right in the repository, for the site."""

    def rewritten(found: re.Match[str]) -> str:
        link = found["link"]
        return f"]({_site_link(link, page.file.src_uri, files, _repository(config))})" if link else found[0]

    return _CODE_OR_LINK.sub(rewritten, markdown)


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:  # noqa: ARG001
    """Let the button for editing lead to a page's source."""
    page.edit_url = f"{_repository(config)}/edit/main/{_source(page.file.src_uri)}"
    return page


def _repository(config: MkDocsConfig) -> str:
    """The repository's address on GitHub; also a placeholder for it is a URL."""
    return f"https://github.com/{quote(config.extra['action'].partition('@')[0])}"


def _site_link(link: str, page: str, files: Files, repository: str) -> str:
    """A link of a page: to the page or file of the site if there is one, else to the file on GitHub."""
    name, hash_sign, anchor = link.partition("#")
    if not name or _WITH_SCHEME.match(name):
        return link
    target = posixpath.normpath(posixpath.join(posixpath.dirname(_source(page)), unquote(name)))
    if uri := _site_uri(target, files):
        return posixpath.relpath(uri, posixpath.dirname(page) or ".") + hash_sign + anchor
    if not (ROOT / target).exists():
        return link
    kind = "tree" if (ROOT / target).is_dir() else "blob"
    return f"{repository}/{kind}/main/{target}{hash_sign}{anchor}"


def _source(page: str) -> str:
    """The path in the repository of a page of the site."""
    return ROOT_PAGES.get(page, f"docs/{page}")


def _site_uri(target: str, files: Files) -> str | None:
    """The site's file whose source is the file `target` of the repository, or the README of the folder `target`."""
    root_pages = (name for name, source in ROOT_PAGES.items() if source == target)
    in_docs = target.removeprefix("docs/") if target.startswith("docs/") else ""
    candidates = [*root_pages, *([in_docs, f"{in_docs}/README.md"] if in_docs else [])]
    return next((name for name in candidates if files.get_file_from_path(name)), None)
