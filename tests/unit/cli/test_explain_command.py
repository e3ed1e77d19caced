"""`waypost explain`: why a file is listed or left out, even if no sitemap can be generated."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from unit.cli.invoke import BASE, FLAGS, PAGES, STATE

if TYPE_CHECKING:
    from typing import Any

    from fake_cloud import Cloud
    from sites import Write
    from unit.cli.invoke import Invoke

SITE = "https://www.waypost.dev/"


def test_a_path_and_the_url_of_its_page_have_the_same_answer(write: Write, invoke: Invoke) -> None:
    write(PAGES)
    result = invoke("explain", "site", "index.html", BASE, *FLAGS, "--json")
    by_path, by_url = json.loads(result.stdout)
    assert by_path == by_url
    assert (by_path["listed"], by_path["loc"], by_path["sitemap"]) == (True, BASE, "sitemap.xml")


def test_an_answer_about_another_file_than_the_one_that_was_named_says_so(write: Write, invoke: Invoke) -> None:
    write({**PAGES, "sub/b.html": "<title>B</title>"})
    shown = invoke("explain", "site", "sub/b", "./sub/b.html", "sub\\b.html", *FLAGS).stdout.splitlines()
    heads = [line for line in shown if line.startswith("sub") and "site" not in line]
    assert heads == ["sub/b.html (for sub/b)", "sub/b.html", "sub\\b.html"]
    assert "  left out  not-found: the site's folder has no such file; write / between folders" in shown


def test_names_that_are_commands_of_a_runner_are_inert_in_answers(write: Write, invoke: Invoke) -> None:
    name = "##[add-mask]e.html"
    write({**PAGES, name: "<meta name=robots content=noindex>"})
    outputs = [invoke("explain", "site", name, *FLAGS).output, invoke("build", "site", *FLAGS, "--dry-run").output]
    assert ["##\\[add-mask]e.html" in output and name not in output for output in outputs] == [True, True]


def test_a_file_that_does_not_exist_is_an_error_after_the_answers(write: Write, invoke: Invoke) -> None:
    write(PAGES)
    result = invoke("explain", "site", "absent.html", "index.html", *FLAGS)
    assert result.exit_code == 3
    assert "index.html" in result.stdout


def test_a_site_without_pages_still_explains_its_files(write: Write, invoke: Invoke) -> None:
    write({"hidden.html": PAGES["hidden.html"]})
    result = invoke("explain", "site", "hidden.html", *FLAGS)
    assert "warning: no sitemap can be generated: " in result.stderr
    assert (result.exit_code, "noindex" in result.stdout) == (0, True)


def test_what_the_folder_was_recognised_as_is_part_of_the_answer(write: Write, invoke: Invoke) -> None:
    write({**PAGES, "_config.yml": ""})
    (answer,) = json.loads(invoke("explain", "site", "index.html", *FLAGS, "--json").stdout)
    assert answer["source_kind"]["kind"] == "github-pages"
    printed = invoke("explain", "site", "index.html", *FLAGS).stdout
    assert "\nsite is the source of a site that GitHub Pages builds with Jekyll (_config.yml: " in printed


def test_a_key_of_a_bucket_is_explained_by_its_state(cloud: Cloud, invoke: Invoke) -> None:
    cloud.site.put("a.html", "one")
    invoke("build", "cloud://site/", *STATE)
    result = invoke("explain", "cloud://site/", "cloud://site/a.html", *STATE, "--json")
    (answer,) = json.loads(result.stdout)
    assert (answer["path"], answer["listed"], answer["sitemap"]) == ("a.html", True, "sitemap.xml")
    assert invoke("explain", "cloud://site/", "a.html", *STATE).stdout.startswith("a.html\n")


def test_a_file_is_found_by_a_path_or_a_url_in_any_form(write: Write, invoke: Invoke) -> None:
    write({**PAGES, "ü/index.html": "<title>Ü</title>"})
    forms = ("/ü/index.html", "ü/index.htm", f"{BASE}%C3%BC", "http://www.example.org/ü/index.html#top")
    answers = json.loads(invoke("explain", "site", *forms, *FLAGS, "--json").stdout)
    assert [answer["path"] for answer in answers] == ["ü/index.html"] * len(forms)


def test_without_a_source_the_project_s_site_is_explained(write: Write, invoke: Invoke, monkeypatch: Any) -> None:
    root = write({"public/index.html": "<!doctype html><title>Home</title>", "hugo.toml": f'baseURL = "{SITE}"'})
    monkeypatch.chdir(root)
    for path in ("index.html", "public/index.html", SITE):
        (answer,) = json.loads(invoke("explain", path, "--json").stdout)
        assert (answer["path"], answer["loc"]) == ("index.html", SITE)
    assert "Missing argument 'PATH...'" in invoke("explain", "public").output
