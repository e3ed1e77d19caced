"""The base URL that a generator's configuration names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.project.base_url import configured_url
from waypost.project.project_folder import ProjectFolder
from waypost.project.source_kind import recognize

if TYPE_CHECKING:
    from sites import Files, Write

URL = "https://docs.waypost.dev/guide/"


@pytest.mark.parametrize(
    "files",
    [
        {"_config.yml": "title: A\nurl: https://docs.waypost.dev\nbaseurl: /guide\n"},
        {"_config.yml": 'url: "https://docs.waypost.dev/guide/" # with its path\nbaseurl: "/guide"\n'},
        {"Gemfile": 'gem "jekyll"\n', "_config.yml": "url: https://docs.waypost.dev/guide\n"},
        {"hugo.toml": 'baseURL = "https://docs.waypost.dev/guide/"\n'},
        {"hugo.yaml": "baseURL: https://docs.waypost.dev/guide/\n"},
        {"mkdocs.yml": "site_name: A\nsite_url: 'https://docs.waypost.dev/guide/'\n"},
        {"zensical.toml": '[project]\nsite_url = "https://docs.waypost.dev/guide"\n'},
        {
            "docusaurus.config.js": "const config = {\n  // url: 'https://old.dev',\n  url: 'https://docs.waypost.dev',\n"
            "  baseUrl: '/guide/',\n  themeConfig: {items: [{url: 'https://other.dev'}]},\n};\n"
        },
        {"astro.config.mjs": "export default {\n  site: 'https://docs.waypost.dev',\n  base: '/guide',\n};"},
        {"astro.config.ts": "export default defineConfig({ base: '/guide', site: 'https://docs.waypost.dev' });"},
        {"gatsby-config.js": "module.exports = {\n  siteMetadata: {\n    siteUrl: `https://docs.waypost.dev/guide`,\n"},
        {
            "next.config.js": "",
            "app/layout.tsx": "export const metadata = {\n  metadataBase: new URL('https://docs.waypost.dev/guide'),\n}",
        },
        {"conf.py": "extensions = []\nhtml_baseurl = 'https://docs.waypost.dev/guide/'\n", "index.rst": ""},
        {"pelicanconf.py": "SITEURL = ''\n", "publishconf.py": "SITEURL = 'https://docs.waypost.dev/guide'\n"},
        {"_quarto.yml": "project:\n  type: website\nwebsite:\n  site-url: https://docs.waypost.dev/guide\n"},
        {"content/a.md": "", "zola.toml": 'base_url = "https://docs.waypost.dev/guide"\n'},
    ],
    ids=lambda files: " and ".join(files),
)
def test_the_configuration_of_a_generator_names_the_base_url(write: Write, files: Files) -> None:
    folder = write(files)
    found = configured_url(ProjectFolder(folder), recognize(folder))
    assert found is not None
    assert found.base_url == URL


@pytest.mark.parametrize(
    "files",
    [
        {"hugo.toml": '# baseURL = "https://docs.waypost.dev/"\nbaseURL = "/"\n'},
        {"mkdocs.yml": "site_name: A\nsite_url: !ENV [URL, 'https://docs.waypost.dev/']\n"},
        {"docusaurus.config.js": "const config = {\n  url: process.env.URL,\n};\n"},
        {"docusaurus.config.js": "export default { items: [{ url: 'https://docs.waypost.dev' }] };\n"},
        {"package.json": '{"homepage": "https://docs.waypost.dev/"}', "index.html": ""},
        {"_config.yml": "baseurl: /guide\n"},
        {"_config.yml": "url: https://docs.waypost.dev/?a=b\n"},
        {"_config.yml": "url: https://[x\n"},
    ],
    ids=[
        "comment",
        "of an environment",
        "computed",
        "nested",
        "a package's homepage",
        "only a path",
        "a query",
        "no URL",
    ],
)
def test_what_names_no_base_url_is_no_evidence(write: Write, files: Files) -> None:
    folder = write(files)
    assert configured_url(ProjectFolder(folder), recognize(folder)) is None
