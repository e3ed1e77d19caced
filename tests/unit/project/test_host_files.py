"""What the configuration files of hosts say of a site's URLs."""

from __future__ import annotations

import json

import pytest
from recognised_hosts import host, redirect, shapes

from waypost.core.data_files import DataError
from waypost.project.host_files import load_jsonc


def test_netlify_toml_has_rules_for_all_contexts_and_those_of_one_context_have_no_effect() -> None:
    settings = """
[[redirects]]
from = "/old"
to = "/new"
force = true
[[redirects]]
from = "/kept"
to = "/new"
[[redirects]]
from = "/de"
to = "/x"
force = true
conditions = {Country = ["de"]}
[[headers]]
for = "/private/*"
[headers.values]
X-Robots-Tag = "noindex"
[[context.deploy-preview.headers]]
for = "/*"
[context.deploy-preview.headers.values]
X-Robots-Tag = "noindex"
"""
    found = host(project={"netlify.toml": settings})
    assert [redirect(found, path) for path in ("/old", "/kept", "/de")] == ["/new", "", ""]
    assert [found.rules.header(path, "x-robots-tag") for path in ("/private/", "/")] == ["noindex", ""]


@pytest.mark.parametrize(
    ("options", "page", "folder"),
    [
        ({"cleanUrls": True, "trailingSlash": False}, ("bare",), ("bare",)),
        ({"cleanUrls": True, "trailingSlash": True}, ("slash",), ("slash",)),
        ({"cleanUrls": True}, ("slash", "bare"), ("slash", "bare")),
        ({"trailingSlash": False}, ("slash", "bare", "file"), ("bare", "file")),
        ({}, ("slash", "bare", "file"), ("slash", "bare", "file")),
    ],
)
def test_vercel_s_options_decide_the_forms(options: object, page: tuple[str, ...], folder: tuple[str, ...]) -> None:
    assert shapes(host(project={"vercel.json": json.dumps(options)})) == (page, folder)


def test_vercel_redirects_before_files_but_for_rules_with_conditions() -> None:
    settings = {
        "redirects": [
            {"source": "/old", "destination": "/new"},
            {"source": "/a/:path*", "destination": "/b", "permanent": False},
            {"source": "/host", "destination": "/x", "has": [{"type": "host", "value": "other.dev"}]},
            {"source": "/(de|fr)/x", "destination": "/x"},
        ],
        "headers": [{"source": "/p/(.*)", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}],
    }
    found = host(project={"vercel.json": json.dumps(settings)})
    assert [redirect(found, path) for path in ("/old", "/a/b/c", "/host", "/de/x")] == ["/new", "/b", "", ""]
    assert found.rules.header("/p/a", "x-robots-tag") == "noindex"
    assert found.unread == (("vercel.json", "/(de|fr)/x"),)


def test_of_a_rule_that_cannot_be_read_only_the_beginning_is_shown() -> None:
    found = host(
        project={"vercel.json": json.dumps({"redirects": [{"source": "/(" + "a" * 9_000, "destination": "/x"}]})}
    )
    assert [len(problem) for _, problem in found.unread] == [200]


@pytest.mark.parametrize(
    ("hosting", "page", "folder"),
    [
        ({"cleanUrls": True, "trailingSlash": False}, ("bare",), ("bare",)),
        ({"cleanUrls": True}, ("bare",), ("slash", "bare")),
        ({}, ("slash", "bare", "file"), ("slash", "file")),
        ([{"cleanUrls": True, "trailingSlash": True}], ("slash",), ("slash",)),
    ],
)
def test_firebase_s_options_decide_the_forms(hosting: object, page: tuple[str, ...], folder: tuple[str, ...]) -> None:
    assert shapes(host(project={"firebase.json": json.dumps({"hosting": hosting})})) == (page, folder)


def test_firebase_redirects_before_files() -> None:
    hosting = {
        "redirects": [{"source": "/old", "destination": "/new"}, {"regex": "/x(.*)", "destination": "/y"}],
        "headers": [{"source": "/p/**", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}],
    }
    found = host(project={"firebase.json": json.dumps({"hosting": hosting})})
    assert [redirect(found, path) for path in ("/old", "/xx")] == ["/new", ""]
    assert found.rules.header("/p/a", "x-robots-tag") == "noindex"
    assert [file for file, _ in found.unread] == ["firebase.json"]


def test_azure_s_first_route_decides_and_a_redirect_for_some_roles_is_none() -> None:
    settings = {
        "trailingSlash": "never",
        "globalHeaders": {"X-Robots-Tag": "all"},
        "routes": [
            {"route": "/old", "redirect": "/new"},
            {"route": "/admin/*", "redirect": "/login", "allowedRoles": ["admin"]},
            {"route": "/posted", "redirect": "/x", "methods": ["POST"]},
            {"route": "/p/*", "headers": {"X-Robots-Tag": "noindex"}},
            {"route": "/p/a", "redirect": "/never", "headers": {"X-Robots-Tag": "none"}},
        ],
    }
    found = host({"staticwebapp.config.json": json.dumps(settings)})
    assert shapes(found) == (("bare",), ("bare",))
    assert [redirect(found, path) for path in ("/old", "/admin/x", "/posted", "/p/a")] == ["/new", "", "", ""]
    assert [found.rules.header(path, "x-robots-tag") for path in ("/p/a", "/")] == ["noindex", "all"]


@pytest.mark.parametrize(
    "handling", [("force-trailing-slash", "slash"), ("drop-trailing-slash", "bare"), ("none", "file")]
)
def test_workers_say_how_html_is_answered(handling: tuple[str, str]) -> None:
    found = host(project={"wrangler.jsonc": f'{{"assets": {{"html_handling": "{handling[0]}"}}}}'})
    assert shapes(found) == ((handling[1],), (handling[1],))


def test_a_file_that_cannot_be_read_says_nothing_and_is_named() -> None:
    for name in ("vercel.json", "netlify.toml"):
        found = host(project={name: "{"})
        assert found.rules.redirect("/a") == ""
        assert [file for file, _ in found.unread] == [name]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1} // b', {"a": 1}),
        ('{/* b\n" */"a": "//c",}', {"a": "//c"}),
        ('{"a": ["x,]", "\\"/*"], }', {"a": ["x,]", '"/*']}),
        ('{"a": "b\\\\"} // "', {"a": "b\\"}),
    ],
)
def test_json_may_have_comments_and_last_commas_outside_of_strings(text: str, value: object) -> None:
    assert load_jsonc(text) == value


@pytest.mark.parametrize("text", ['\\"' * 50_000, "/*" * 50_000, '"' * 100_000, ", " * 50_000, '"\\', "//"])
def test_no_text_that_is_no_json_takes_long(text: str) -> None:
    with pytest.raises(DataError):
        load_jsonc(text)


@pytest.mark.parametrize(
    "settings",
    [
        {"redirects": {"a": 1}, "headers": 5},
        {
            "redirects": [5, {"source": 5}, {"source": "/a", "statusCode": "301"}],
            "headers": [{"source": "/a", "headers": 5}],
        },
        {
            "hosting": 5,
            "routes": [5, {"route": "/a", "allowedRoles": 5}],
            "globalHeaders": [],
            "assets": 5,
            "build": "x",
        },
        {"hosting": {"redirects": [{"source": None}], "headers": [{"source": "/a", "headers": [None]}]}},
    ],
)
def test_values_of_another_type_than_they_should_have_say_nothing(settings: dict[str, object]) -> None:
    text = json.dumps(settings)
    for name, setting in (
        ("vercel.json", "vercel"),
        ("firebase.json", "firebase"),
        ("wrangler.json", "cloudflare-workers"),
    ):
        assert host(project={name: text}, setting=setting).rules.redirect("/a") == ""
    assert host({"staticwebapp.config.json": text}, setting="azure-static-web-apps").rules.header("/a", "link") == ""


def test_a_header_without_a_text_is_none() -> None:
    settings = {"globalHeaders": {"X-Robots-Tag": None}, "routes": [{"route": "/a", "headers": {"X-Robots-Tag": 5}}]}
    found = host({"staticwebapp.config.json": json.dumps(settings)})
    assert found.rules.header("/a", "x-robots-tag") == ""


def test_a_file_with_which_the_host_deploys_nothing_is_named() -> None:
    azure = host({"staticwebapp.config.json": json.dumps({"x": "y" * 20_480})})
    assert azure.unread == (("staticwebapp.config.json", "it has over 20,480 bytes, with which Azure deploys nothing"),)
    rules = [{"source": f"/{n}", "destination": "/new"} for n in range(2_049)]
    vercel = host(project={"vercel.json": json.dumps({"redirects": rules})})
    assert vercel.unread == (("vercel.json", "it has over 2,048 redirects, with which Vercel deploys nothing"),)
