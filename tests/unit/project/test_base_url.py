"""The base URL of a site that no setting names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.files.folder_source import FolderSource
from waypost.project.base_url import BuiltFiles, PagesPlace, configured_url, find_base_urls, told_base
from waypost.project.project_folder import ProjectFolder
from waypost.project.source_kind import recognize
from waypost.settings.output_names import MARK

if TYPE_CHECKING:
    from sites import Files, Write


def base_urls(write: Write, files: Files, repository: str = "") -> list[str]:
    """The base URLs that a folder names, which is a project of its own."""
    folder = write(files)
    return [each.base_url for each in find_base_urls(folder, recognize(folder), folder, PagesPlace(repository))]


def urlset(loc: str) -> str:
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{loc}</loc></url></urlset>'


def page(*, canonical: str = "", og_url: str = "", more: str = "") -> str:
    """A page that names its own URL."""
    link = f"<link rel=canonical href='{canonical}'>" if canonical else ""
    meta = f"<meta property='og:url' content='{og_url}'>" if og_url else ""
    return f"<!doctype html><title>A</title>{link}{meta}{more}"


HUGO = {"hugo.toml": 'baseURL = "https://a.dev/"\n'}
DEPLOYS = {
    ".git/HEAD": "",
    ".github/workflows/a.yml": "jobs:\n  a:\n    steps:\n      - uses: actions/deploy-pages@v4\n",
}


@pytest.mark.parametrize(
    ("files", "repository", "expected"),
    [
        ({"CNAME": "a.dev\n"}, "", ["https://a.dev/"]),
        ({"CNAME": "a.dev", **DEPLOYS}, "", []),
        ({"CNAME": "a.dev", "index.html": page(canonical="https://a.dev/")}, "o/r", ["https://a.dev/"]),
        ({"CNAME": "b.dev", "index.html": page(canonical="https://a.dev/")}, "", ["https://a.dev/", "https://b.dev/"]),
        ({"CNAME": "a.dev", "index.html": page(canonical="http://a.dev/")}, "", ["https://a.dev/"]),
        ({"static/index.html": page(canonical="https://example.org/static/"), **HUGO}, "", ["https://a.dev/"]),
        ({"index.html": page(canonical="http://localhost:4000/")}, "Owner/Repo", ["https://owner.github.io/Repo/"]),
        (
            {"index.html": page(canonical="https://your-docusaurus-site.example.com/")},
            "o/o.github.io",
            ["https://o.github.io/"],
        ),
        ({"index.html": page(canonical="https://github.com/o/r/")}, "", []),
        (
            {"index.html": page(canonical="https://o.github.io/")},
            "o/r",
            ["https://o.github.io/", "https://o.github.io/r/"],
        ),
        ({"index.html": page(canonical="https://o.github.io/r/")}, "o/r", ["https://o.github.io/r/"]),
        ({"index.html": "<!doctype html><html><title>A</title>"}, "", []),
    ],
    ids=[
        "CNAME",
        "CNAME where a workflow deploys",
        "a domain of its own goes before the repository's name",
        "two that disagree",
        "http and https agree",
        "a sample URL counts for nothing",
        "so does this machine",
        "and a sample host",
        "and a forge",
        "another place on the owner's host disagrees with the repository's name",
        "the same place agrees",
        "nothing",
    ],
)
def test_all_that_names_a_base_url_must_agree(write: Write, files: Files, repository: str, expected: list[str]) -> None:
    assert base_urls(write, files, repository) == expected


def test_the_evidence_names_the_file_and_the_key(write: Write) -> None:
    folder = write(HUGO | {"CNAME": "b.dev"})
    found = find_base_urls(folder, recognize(folder), folder)
    assert [each.evidence for each in found] == ["CNAME", "`baseURL` in hugo.toml"]


def last_build(loc: str) -> Files:
    """A site of one page, with the sitemap of an earlier build."""
    sitemap = f"{MARK}<urlset><url><loc>{loc}</loc></url></urlset>"
    return {"index.html": "<!doctype html><html><title>A</title>", "sitemap.xml": sitemap}


@pytest.mark.parametrize(
    ("last", "more", "repository", "expected"),
    [
        ("https://a.dev/", {}, "", ["https://a.dev/"]),
        ("https://a.dev/", {}, "o/r", ["https://a.dev/"]),
        ("https://a.dev/", {"CNAME": "b.dev"}, "", ["https://b.dev/"]),
        ("https://o.github.io/r/", {}, "o/r", ["https://o.github.io/r/"]),
        ("https://o.github.io/r/", {}, "fork/r", ["https://o.github.io/r/", "https://fork.github.io/r/"]),
        ("https://o.github.io/r/", {}, "o/renamed", ["https://o.github.io/r/", "https://o.github.io/renamed/"]),
    ],
    ids=["alone", "a domain", "a new domain", "the same", "a fork", "a rename"],
)
def test_the_sitemap_of_an_earlier_build_counts_where_nothing_else_names_a_base_url(
    write: Write, last: str, more: Files, repository: str, expected: list[str]
) -> None:
    assert base_urls(write, {**last_build(last), **more}, repository) == expected


def built(write: Write, files: Files) -> BuiltFiles:
    """The files of a site."""
    return BuiltFiles(FolderSource(write(files)))


@pytest.mark.parametrize(
    ("files", "base"),
    [
        ({"index.html": page(canonical="https://a.dev/")}, "https://a.dev/"),
        ({"index.html": page(canonical="https://a.dev/repo/index.html")}, "https://a.dev/repo/"),
        ({"b/c.html": page(canonical="https://a.dev/b/c")}, "https://a.dev/"),
        ({"b/index.html": page(canonical="https://a.dev/repo/b")}, "https://a.dev/repo/"),
        ({"b.html": page(canonical="https://a.dev//b/")}, "https://a.dev/"),
        ({"ä b.html": page(canonical="https://a.dev/x%20y/%C3%A4%20b.html")}, "https://a.dev/x%20y/"),
        ({"b.html": page(og_url="https://a.dev/repo/b.html")}, "https://a.dev/repo/"),
        ({"b.html": page(canonical="https://a.dev/b.html", og_url="https://c.dev/b.html")}, "https://a.dev/"),
    ],
)
def test_pages_name_the_base_url_by_their_own_urls(write: Write, files: Files, base: str) -> None:
    found = built(write, files).of_pages()
    assert found is not None
    assert found[0] == base


@pytest.mark.parametrize(
    "files",
    [
        {"b.html": page(canonical="https://a.dev/other")},
        {"b.html": page(canonical="/b.html")},
        {"b.html": page(canonical="https://a.dev/b.html?x=1")},
        {"b.html": page(canonical="https://a.dev/b.html", more="<meta name=robots content=noindex>")},
        {"a.html": page(canonical="https://a.dev/a"), "b.html": page(canonical="https://b.dev/b")},
        {},
    ],
    ids=["another page", "relative", "a query", "noindex", "two sites", "no page"],
)
def test_pages_that_name_no_url_of_their_own_or_several_sites_name_no_base_url(write: Write, files: Files) -> None:
    assert built(write, files).of_pages() is None


def test_one_page_of_another_site_among_many_does_not_count(write: Write) -> None:
    files = {f"{n}.html": page(canonical=f"https://a.dev/{n}") for n in range(9)}
    found = built(write, files | {"x.html": page(canonical="https://b.dev/x")}).of_pages()
    assert found is not None
    assert found[0] == "https://a.dev/"


@pytest.mark.parametrize(
    ("locs", "base"),
    [
        (["https://a.dev/", "https://a.dev/b"], "https://a.dev/"),
        (["https://a.dev/repo/b/", "https://a.dev/repo/c/d.html"], "https://a.dev/repo/"),
        (["https://a.dev/repo/"], "https://a.dev/repo/"),
    ],
)
def test_a_sitemap_names_the_base_url_by_the_pages_that_exist(write: Write, locs: list[str], base: str) -> None:
    sitemap = "<urlset>" + "".join(f"<url><loc>{loc}</loc></url>" for loc in locs) + "</urlset>"
    found = built(write, {"index.html": "", "b.html": "", "c/d.html": "", "sitemap.xml": sitemap}).of_sitemaps()
    assert found == (base, "sitemap.xml")


def test_an_index_names_the_base_url_by_the_sitemaps_that_exist(write: Write) -> None:
    index = "<sitemapindex><sitemap><loc>https://a.dev/repo/de/sitemap.xml</loc></sitemap></sitemapindex>"
    found = built(write, {"sitemap.xml": index, "de/sitemap.xml": "<urlset></urlset>"}).of_sitemaps()
    assert found == ("https://a.dev/repo/", "sitemap.xml")


@pytest.mark.parametrize(
    ("files", "base"),
    [
        ({"robots.txt": "Sitemap: https://a.dev/sitemap.xml\n"}, "https://a.dev/"),
        ({"robots.txt": "sitemap: https://a.dev/repo/sitemap.xml\n"}, "https://a.dev/repo/"),
        ({"robots.txt": "Sitemap: https://a.dev/maps/s.xml\n", "maps/s.xml": ""}, "https://a.dev/"),
        ({"robots.txt": "Sitemap: /sitemap.xml\n"}, None),
        ({"robots.txt": "User-agent: *\n"}, None),
        ({"robots.txt": "Sitemap: https://[x/sitemap.xml\n"}, None),
        ({}, None),
    ],
)
def test_robots_txt_names_the_base_url_by_its_sitemap(write: Write, files: Files, base: str | None) -> None:
    assert built(write, files).of_robots_txt() == base


MKDOCS = "site_name: A\nsite_url: https://a.dev/en/latest/\n"


@pytest.mark.parametrize(
    ("files", "repository", "expected"),
    [
        ({"index.html": page(canonical="https://a.dev/en/latest/")}, "", ["https://a.dev/en/latest/"]),
        ({"index.html": page(canonical="https://b.dev/en/")}, "", ["https://b.dev/en/"]),
        ({"sitemap.xml": urlset("https://a.dev/docs/a.html"), "a.html": page()}, "", ["https://a.dev/docs/"]),
        ({"mkdocs.yml": MKDOCS}, "", ["https://a.dev/en/latest/"]),
        ({"index.html": page(canonical="https://a.dev/")}, "", ["https://a.dev/"]),
        ({"index.html": page(canonical="http://a.dev/")}, "", ["https://a.dev/"]),
        ({"index.html": page(canonical="https://b.dev/")}, "", ["https://b.dev/", "https://a.dev/"]),
        ({"index.html": page(canonical="https://example.com/docs/")}, "", ["https://a.dev/"]),
        ({"CNAME": "a.dev"}, "o/r", ["https://a.dev/"]),
        ({}, "o/r", ["https://a.dev/"]),
    ],
)
def test_robots_txt_decides_nothing_of_a_site_in_a_folder(
    write: Write, files: Files, repository: str, expected: list[str]
) -> None:
    assert base_urls(write, {"robots.txt": "Sitemap: https://a.dev/sitemap.xml\n", **files}, repository) == expected


@pytest.mark.parametrize(
    ("files", "repository", "expected"),
    [
        ({}, "", "https://o.github.io/maps/"),
        ({"index.html": page(canonical="https://o.github.io/")}, "", "https://o.github.io/"),
        ({}, "o/r", "https://o.github.io/r/"),
    ],
)
def test_a_sitemap_in_a_folder_that_robots_txt_names_contradicts_no_base_url_on_its_host(
    write: Write, files: Files, repository: str, expected: str
) -> None:
    robots = {"robots.txt": "Sitemap: https://o.github.io/maps/pages.xml\n"}
    assert base_urls(write, {**robots, **files}, repository) == [expected]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"README.md": "See <https://my-tool.a.dev/start>."}, ["https://my-tool.a.dev/"]),
        ({"README.rst": "https://www.owners.dev/My_Tool/a.html"}, ["https://www.owners.dev/My_Tool/"]),
        ({"package.json": '{"homepage": "https://mytool.dev"}'}, ["https://mytool.dev/"]),
        ({"README.md": "https://tool-box.owners.dev/start"}, ["https://tool-box.owners.dev/"]),
        ({"README.md": "https://owners-my.dev/start https://tool.other.dev"}, []),
        ({"README.md": "https://a.mytool.dev https://mytool.dev/b https://mytool.dev/c"}, ["https://mytool.dev/"]),
        ({"README.md": "curl https://get.mytool.dev | sh\n\nhttps://mytool.dev"}, ["https://mytool.dev/"]),
        ({"README.md": "https://mytool.netlify.app"}, ["https://mytool.netlify.app/"]),
        ({"README.md": "It is currently hosted at [here](https://docs.b.io/start)."}, ["https://docs.b.io/"]),
        ({"README.md": "Hosted on https://docs.b.io, available at http://localhost:8000"}, []),
        ({"README.md": "The demo of the theme is hosted at https://b.cool/"}, []),
        ({"README.md": "https://my-tool.a.dev and https://OWNERS.github.io/my-tool/"}, []),
        ({"README.md": "https://other.github.io/my-tool/ https://b.dev/my-tool https://owners.dev/other"}, []),
        ({"README.md": "https://github.com/owners/my-tool https://my-tool.test"}, []),
        ({"README.md": "https://my-tool.a.dev", "CNAME": "b.dev"}, []),
    ],
)
def test_what_people_are_told_contradicts_a_place_that_the_repository_s_name_alone_tells(
    write: Write, files: Files, told: list[str]
) -> None:
    own = "https://b.dev/" if "CNAME" in files else "https://owners.github.io/my-tool/"
    assert base_urls(write, files, "Owners/my-tool") == [own, *told]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("personal-site", "My site is https://www.owners.dev.", "https://www.owners.dev/"),
        ("blog", "https://owners.dev/blog/a", "https://owners.dev/"),
        ("tool", "I am at https://owners.dev", None),
        ("tool", "It is published at: https://a.dev/b", "https://a.dev/"),
        ("guide", "https://guide.readthedocs.io", None),
    ],
)
def test_a_base_url_that_only_people_are_told_is_to_be_asked_for(
    write: Write, name: str, text: str, told: str | None
) -> None:
    folder = write({"README.md": text, "hugo.toml": ""})
    found = told_base(folder, folder, recognize(folder), f"owners/{name}")
    assert (found and found.base_url) == told


@pytest.mark.parametrize("is_mentioned", [False, True])
def test_a_base_url_of_another_known_host_is_no_domain_of_a_site_that_github_pages_publishes(
    write: Write, *, is_mentioned: bool
) -> None:
    folder = write({"index.html": page(canonical="https://a.netlify.app/")})
    found = find_base_urls(folder, recognize(folder), folder, PagesPlace("o/r", is_mentioned=is_mentioned))
    assert [each.base_url for each in found] == ["https://a.netlify.app/", "https://o.github.io/r/"][: 1 + is_mentioned]


@pytest.mark.parametrize(
    ("name", "text", "domains"),
    [
        ("wrangler.toml", 'route = { pattern = "a.dev", custom_domain = true }', ["https://a.dev/"]),
        ("wrangler.jsonc", '{"routes": [{"pattern": "a.dev", "custom_domain": true}]}', ["https://a.dev/"]),
        ("wrangler.toml", 'routes = [{ pattern = "a.dev/*", zone_name = "a.dev" }]', []),
        ("wrangler.toml", 'route = { pattern = "", custom_domain = true }', []),
    ],
)
def test_the_domain_of_a_worker_is_the_site_s_and_another_configured_one_contradicts_it(
    write: Write, name: str, text: str, domains: list[str]
) -> None:
    config = {"astro.config.mjs": "export default {\n  site: 'https://b.dev',\n}"}
    assert base_urls(write, {name: text, **config}) == [*domains, "https://b.dev/"]


@pytest.mark.parametrize(("path", "is_known"), [("/tool/", True), ("/Tool", True), ("/docs/", False), ("/", False)])
def test_a_site_that_is_built_for_another_path_is_not_at_the_place_of_its_repository(
    write: Write, path: str, *, is_known: bool
) -> None:
    folder = write({"docs/.vuepress/config.js": f"module.exports = {{\n  base: '{path}',\n}}"})
    found = find_base_urls(folder, recognize(folder), folder, PagesPlace("o/tool"))
    assert [each.base_url for each in found] == (["https://o.github.io/tool/"] if is_known else [])


def test_another_known_host_is_that_of_another_publication_where_github_pages_publishes(write: Write) -> None:
    folder = write({"README.md": "https://mytool.readthedocs.io/"})
    found = find_base_urls(folder, recognize(folder), folder, PagesPlace("o/mytool", is_mentioned=True))
    assert [each.base_url for each in found] == ["https://o.github.io/mytool/"]


def test_a_few_pages_that_name_another_place_are_no_agreement(write: Write) -> None:
    files = {f"{n}.html": page() for n in range(5)}
    assert built(write, files | {"x.html": page(canonical="https://medium.dev/@me/x")}).of_pages() is None


URL = "https://docs.waypost.dev/guide/"


@pytest.mark.parametrize(
    "files",
    [
        {"_config.yml": "title: A\nurl: https://docs.waypost.dev\nbaseurl: /guide\n"},
        {"_config.yml": 'url: "https://docs.waypost.dev/guide/" # with its path\nbaseurl: "/guide"\n'},
        {"Gemfile": 'gem "jekyll"\n', "_config.yml": "url: https://docs.waypost.dev/guide\n"},
        {"hugo.toml": 'baseURL = "https://docs.waypost.dev/guide/"\n'},
        {"hugo.json": '{\n  "baseURL": "https://docs.waypost.dev/guide/"\n}'},
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
        {
            "nuxt.config.ts": "export default defineNuxtConfig({\n  site: {\n    name: 'A', url: 'https://docs.waypost.dev/guide',\n"
        },
        {"svelte.config.js": "export default { kit: {\n  prerender: { origin: 'https://docs.waypost.dev/guide' } } }"},
        {"conf.py": "extensions = []\nhtml_baseurl = 'https://docs.waypost.dev/guide/'\n", "index.rst": ""},
        {
            "eleventy.config.js": "export default (c) => {\n"
            "  c.addPlugin(sitemap, {sitemap: {hostname: 'https://docs.waypost.dev/guide'}});\n"
        },
        {"pelicanconf.py": "SITEURL = ''\n", "publishconf.py": "SITEURL = 'https://docs.waypost.dev/guide'\n"},
        {"_quarto.yml": "project:\n  type: website\nwebsite:\n  site-url: https://docs.waypost.dev/guide\n"},
        {"content/a.md": "", "zola.toml": 'base_url = "https://docs.waypost.dev/guide"\n'},
        {"_config.yml": 'title: A\nurl: "docs.waypost.dev" # a host\nbaseurl: /guide\n', "index.md": ""},
    ],
    ids=lambda files: " and ".join(files),
)
def test_the_configuration_of_a_generator_names_the_base_url(write: Write, files: Files) -> None:
    folder = write(files)
    found = configured_url(ProjectFolder(folder), recognize(folder))
    assert found is not None
    assert found.base_url == URL


@pytest.mark.parametrize(
    ("files", "evidence"),
    [
        ({"Makefile": f"publish:\n\tSITEURL='{URL}' pelican content\n"}, "Makefile"),
        ({".github/workflows/a.yml": f"env:\n  HUGO_BASEURL: {URL}\n"}, ".github/workflows/a.yml"),
        ({"package.json": f'{{"scripts": {{"a": "hugo -b http://localhost:1313", "b": "hugo -b {URL}"}}}}'}, "pack"),
        ({".github/workflows/a.yml": f"jobs: {{a: {{steps: [{{run: zola build --base-url {URL}}}]}}}}"}, ""),
    ],
    ids=["a variable of a command", "of a workflow", "an option", "zola"],
)
def test_a_command_that_builds_some_site_for_a_base_url_names_one_to_ask_for(
    write: Write, files: Files, evidence: str
) -> None:
    folder = write(files)
    assert find_base_urls(folder, recognize(folder), folder) == ()
    found = told_base(folder, folder, recognize(folder), "")
    assert found is not None
    assert found.base_url == URL
    assert evidence in found.evidence


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


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("docs.Garden.org", ["https://o.github.io/docs.Garden.org/", "https://docs.garden.org/"]),
        ("next.js", ["https://o.github.io/next.js/"]),
        ("o.github.io", ["https://o.github.io/"]),
    ],
)
def test_a_repository_that_is_named_like_a_domain_may_have_that_domain(
    write: Write, name: str, expected: list[str]
) -> None:
    assert base_urls(write, {"index.html": page()}, f"o/{name}") == expected
