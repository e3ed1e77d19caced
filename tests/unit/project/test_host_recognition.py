"""The host of a site, by a setting, a domain or files."""

from __future__ import annotations

import pytest
from recognised_hosts import host


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
