"""The host of a site, by a setting, a domain or files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from recognised_hosts import host

from waypost.project.host_recognition import read_hosting
from waypost.settings.host_rules import ANY_SHAPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sites import Write

    from waypost.core.model import UrlShape

BASE = "https://www.a.dev/"


@pytest.mark.parametrize(
    ("site", "project", "name"),
    [
        ({}, {"netlify.toml": ""}, "netlify"),
        ({"_redirects": "/a /b 301!"}, {}, "netlify"),
        ({"_redirects": "/ /de 302 Country=de"}, {}, "netlify"),
        ({}, {"vercel.json": "{}"}, "vercel"),
        ({}, {"firebase.json": '{"hosting": {}}'}, "firebase"),
        ({"staticwebapp.config.json": "{}"}, {}, "azure-static-web-apps"),
        ({}, {"wrangler.toml": 'pages_build_output_dir = "dist"'}, "cloudflare-pages"),
        ({}, {"wrangler.jsonc": '{"assets": {"directory": "dist"},} // workers'}, "cloudflare-workers"),
        ({".htaccess": ""}, {}, "apache"),
        ({"CNAME": "www.a.dev"}, {}, "github-pages"),
        ({}, {"firebase.json": '{"functions": {}}'}, ""),
        ({}, {"wrangler.toml": 'main = "worker.js"'}, ""),
        ({"_redirects": "/a /b"}, {}, ""),
        ({}, {}, ""),
    ],
)
def test_a_host_is_known_by_its_files(site: dict[str, str], project: dict[str, str], name: str) -> None:
    found = host(site, project)
    assert (found.rules.host, found.contradictions) == (name, ())


def test_the_domain_of_the_base_url_goes_before_files_and_a_setting_before_both() -> None:
    files = {"netlify.toml": ""}
    assert host(project=files, base="https://o.github.io/r/").rules.host == "github-pages"
    assert host(project=files, base="https://a.netlify.app/").rules.host == "netlify"
    assert host(project=files, base="https://o.github.io/r/", setting="vercel").rules.host == "vercel"
    assert host(project=files, base="https://github.io.a.dev/").rules.host == "netlify"


def test_files_of_two_hosts_mean_no_host_and_are_both_named() -> None:
    found = host({"_headers": "/*\n  X-Robots-Tag: noindex"}, {"netlify.toml": "", "vercel.json": "{}"})
    assert found.rules.of_hosts == []
    assert found.contradictions == (("netlify", "netlify.toml"), ("vercel", "vercel.json"))
    assert host(project={"netlify.toml": "", "vercel.json": "{}"}, setting="netlify").contradictions == ()


def test_files_of_the_project_are_found_above_the_site_up_to_the_root_and_no_further(write: Write) -> None:
    folder = write({"netlify.toml": "", "a/docs/public/index.html": ""})
    site = folder / "a" / "docs" / "public"
    assert read_hosting(site, folder).host("auto", BASE).rules.host == "netlify"
    assert read_hosting(site, folder / "a").host("auto", BASE).rules.host == ""


def test_of_files_with_one_name_the_nearest_counts(write: Write) -> None:
    folder = write({"vercel.json": "{}", "a/vercel.json": '{"cleanUrls": true}', "a/public/index.html": ""})
    assert read_hosting(folder / "a" / "public", folder).host("auto", BASE).rules.shapes.page == ("slash", "bare")


def test_rules_of_the_published_folder_count_only_there(write: Write) -> None:
    folder = write({"_redirects": "/a /b 301!", "public/index.html": ""})
    assert read_hosting(folder / "public", folder).host("auto", BASE).rules.host == ""
    assert read_hosting(folder, folder).host("auto", BASE).rules.host == "netlify"


def test_a_workflow_that_deploys_to_github_pages_shows_the_host(write: Write) -> None:
    folder = write(
        {".git/HEAD": "", ".github/workflows/a.yml": "jobs: {a: {steps: [{uses: actions/deploy-pages@v5}]}}"}
    )
    assert read_hosting(folder, folder).host("auto", BASE).rules.host == "github-pages"


def test_the_workflow_that_publishes_the_folder_goes_before_the_file_of_a_host(write: Write) -> None:
    steps = "[{uses: peaceiris/actions-gh-pages@v4, with: {publish_dir: public}}]"
    files = {".github/workflows/a.yml": f"jobs: {{a: {{steps: {steps}}}}}", "netlify.toml": "", "public/a.html": ""}
    folder = write({**files})
    found = read_hosting(folder / "public", folder).host("auto", BASE)
    assert (found.rules.host, found.contradictions) == ("github-pages", ())
    assert found.evidence == "peaceiris/actions-gh-pages in .github/workflows/a.yml"
    assert read_hosting(folder, folder).host("auto", BASE).rules.host == "netlify"


@pytest.mark.parametrize(
    ("site", "files", "name", "shapes", "lists_files"),
    [
        (".next/server/app", {".next/routes-manifest.json": '"/:path+/"'}, "next", (("bare",), ("bare",)), False),
        ("x/server/pages", {"x/routes-manifest.json": '"/:notfile("'}, "next", (("slash",), ("slash",)), False),
        (".next/server/app", {".next/routes-manifest.json": ""}, "next", (("bare", "slash"), ("bare", "slash")), False),
        (".output/public", {".output/nitro.json": '{"preset": "node-server"}'}, "nuxt", (ANY_SHAPE, ANY_SHAPE), True),
        (".output/public", {".output/nitro.json": '{"preset": "static"}'}, "", None, False),
        ("build/prerendered", {"build/handler.js": ""}, "sveltekit", (("bare",), ("slash",)), False),
        (
            "build/prerendered",
            {"build/handler.js": "", "build/adapter-node.js": ""},
            "sveltekit",
            (("bare",), ("slash",)),
            True,
        ),
        (".svelte-kit/output/prerendered/pages", {"package.json": ""}, "sveltekit", (("bare",), ("slash",)), False),
        (
            *("dist/client", {"astro.config.mjs": "trailingSlash: 'never', adapter: '@astrojs/node'"}, "astro"),
            *((("bare",), ("bare",)), False),
        ),
        (
            *("dist/client", {"astro.config.ts": "'@astrojs/node'\ntrailingSlash: 'always'"}, "astro"),
            *((("slash",), ("slash",)), False),
        ),
        ("dist/client", {"astro.config.mjs": "trailingSlash: 'never'"}, "", None, False),
        (
            "build/client",
            {"package.json": "react-router-serve a"},
            "react-router",
            (ANY_SHAPE, ("slash", "file")),
            False,
        ),
        ("build/client", {"package.json": "express"}, "", None, False),
        (
            ".vercel/output/static",
            {".vercel/output/config.json": '{"overrides": {"a.html": {}}}'},
            "vercel",
            (("bare",), ANY_SHAPE),
            False,
        ),
        (".vercel/output/static", {".vercel/output/config.json": '{"overrides": {}}'}, "", None, False),
    ],
)
def test_a_server_that_a_build_left_beside_the_pages_decides_their_urls(
    write: Write,
    site: str,
    files: dict[str, str],
    name: str,
    shapes: tuple[Sequence[UrlShape], Sequence[UrlShape]] | None,
    *,
    lists_files: bool,
) -> None:
    folder = write({f"{site}/index.html": "", "netlify.toml": "", **files})
    found = read_hosting(folder / site, folder).host("auto", BASE)
    assert found.rules.host == (name or "netlify")
    (own,) = found.rules.of_hosts
    assert shapes is None or (own.shapes.page, set(own.shapes.folder)) == (shapes[0], set(shapes[1]))
    assert [each.code for each in found.warnings()] == ["server-lists-files"] * lists_files


def test_a_setting_goes_before_a_server_beside_the_pages(write: Write) -> None:
    folder = write({"build/client/index.html": "", "package.json": "react-router-serve a"})
    found = read_hosting(folder / "build" / "client", folder).host("nginx", BASE)
    assert (found.rules.host, [each.shapes.page for each in found.rules.of_hosts]) == ("nginx", [ANY_SHAPE])
