"""`waypost validate`: its answer, targets that cannot be read, and the comparison with a site."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from servers import answer, serving
from unit.cli.invoke import BASE, PAGES, index, urlset

from waypost.cli.validate_command import print_findings
from waypost.validate.file_validator import FileResult
from waypost.validate.findings import FindingReport

if TYPE_CHECKING:
    from sites import Write
    from unit.cli.invoke import Invoke


SITE = "https://www.waypost.dev/"


def findings(answer: Any) -> list[tuple[str, str]]:
    """The code and file of each finding."""
    return [(each["code"], each["file"]) for each in answer["findings"]]


def test_a_target_that_cannot_be_read_does_not_keep_the_others_from_being_checked(invoke: Invoke) -> None:
    Path("a.xml").write_text(urlset("a"))
    result = invoke("validate", "absent.xml", "a.xml", "missing.xml", "--json")
    answer = json.loads(result.stdout)
    assert ([each["name"] for each in answer["files"]], len(answer["failed"])) == (["a.xml"], 2)
    assert result.exit_code == 3
    assert "error: absent.xml does not exist" in result.stderr


def test_the_answer_counts_findings_that_it_does_not_have(invoke: Invoke) -> None:
    Path("a.xml").write_text(urlset("a", "b", "c").replace(BASE, "/"))
    answer = json.loads(invoke("validate", "a.xml", "--most", "1", "--json").stdout)
    (code,) = {code for code, _ in findings(answer)}
    assert (len(answer["findings"]), answer["count_by_code"][code], answer["error_count"]) == (1, 3, 3)


def test_the_answer_in_json_has_all_findings_of_which_the_text_shows_the_first(invoke: Invoke) -> None:
    Path("a.xml").write_text(urlset(*map(str, range(150))).replace(BASE, "/"))
    assert len(json.loads(invoke("validate", "a.xml", "--json").stdout)["findings"]) == 150
    assert invoke("validate", "a.xml").stdout.count("loc-relative") == 100


def test_a_comparison_finds_pages_that_are_not_listed_and_urls_that_should_not_be(write: Write, invoke: Invoke) -> None:
    write({**PAGES, "new.html": "<title>New</title>"})
    Path("a.xml").write_text(urlset("", "hidden.html", "gone.html"))
    result = invoke("validate", "a.xml", "--against", "site", "--set", "lastmod=none", "--json")
    found = findings(json.loads(result.stdout))
    assert ("unlisted", "site/new.html") in found
    assert sorted(code for code, file in found if file == "a.xml") == ["listed-missing", "listed-noindex"]


def test_a_comparison_with_a_list_that_is_broken_does_not_report_missing_pages(write: Write, invoke: Invoke) -> None:
    write(PAGES)
    Path("a.xml").write_text(urlset("a")[:-9])
    result = invoke("validate", "a.xml", "--against", "site", "--base-url", BASE, "--json")
    assert "unlisted" not in json.loads(result.stdout)["count_by_code"]
    assert result.exit_code == 1


def test_what_robots_txt_names_may_lie_anywhere_with_what_it_lists(invoke: Invoke) -> None:
    with serving({}) as server:
        base = f"{server.url}/"
        server.answers |= {
            "/robots.txt": answer(f"Sitemap: {base}maps/index.xml\nSitemap: {base}en/sitemap.xml\n"),
            "/maps/index.xml": answer(index(f"{base}all/a.xml")),
            "/all/a.xml": answer(urlset("x").replace(BASE, base)),
            "/en/sitemap.xml": answer(urlset("").replace(BASE, base)),
        }
        result = invoke("validate", f"{base}robots.txt", "--allow-private", "--json")
    answered = json.loads(result.stdout)
    assert (len(answered["files"]), answered["findings"], result.exit_code) == (3, [], 0)


@pytest.mark.parametrize("target", ["maps", "maps/sitemap.xml"])
def test_the_url_of_a_site_needs_no_slash_for_its_index_to_be_followed(invoke: Invoke, target: str) -> None:
    Path("maps/en").mkdir(parents=True)
    Path("maps/sitemap.xml").write_text(index(f"{BASE}en/a.xml"))
    Path("maps/en/a.xml").write_text(urlset("en/a b"))
    answered = json.loads(invoke("validate", target, "--url", BASE.rstrip("/"), "--json").stdout)
    assert findings(answered) == [("loc-space", "maps/en/a.xml")]


def test_a_sitemap_that_was_not_read_does_not_count_as_passed(invoke: Invoke) -> None:
    result = invoke("validate", "-", stdin=index(f"{BASE}a.xml"))
    assert result.exit_code == 3
    assert "not everything was checked" in result.stderr.splitlines()[-1]
    result = invoke("validate", "-", "--json", stdin=index(f"{BASE}a.xml"))
    assert (result.exit_code, len(json.loads(result.stdout)["failed"])) == (3, 1)


def test_sitemaps_that_the_user_leaves_out_are_counted_and_are_no_error(invoke: Invoke) -> None:
    result = invoke("validate", "-", "--no-follow", stdin=index(f"{BASE}a.xml"))
    assert result.exit_code == 0
    assert result.stderr.splitlines()[-1] == "  not checked: 1 sitemap that an index lists"


def test_a_run_that_reaches_its_time_limit_has_not_checked_everything(invoke: Invoke) -> None:
    Path("sitemap.xml").write_text(index(f"{BASE}a.xml"))
    Path("a.xml").write_text(urlset("a"))
    assert invoke("validate", "sitemap.xml").exit_code == 0
    result = invoke("validate", "sitemap.xml", "--max-minutes", "0")
    assert (result.exit_code, "not everything was checked" in result.stderr.splitlines()[-1]) == (3, True)


def test_errors_are_exit_code_1_and_other_findings_are_not(invoke: Invoke) -> None:
    Path("good.xml").write_text(urlset("a"))
    Path("bad.xml").write_text(urlset("a").replace(BASE, "/"))
    assert invoke("validate", "good.xml").exit_code == 0
    assert invoke("validate", "bad.xml").exit_code == 1
    assert invoke("validate", "good.xml", "absent.xml").exit_code == 3


def test_an_index_is_followed_unless_that_is_not_wanted(invoke: Invoke) -> None:
    Path("sitemap.xml").write_text(index(f"{BASE}a.xml"))
    Path("a.xml").write_text(urlset("a"))
    followed = invoke("validate", "sitemap.xml", "--url", f"{BASE}sitemap.xml")
    alone = invoke("validate", "sitemap.xml", "--url", f"{BASE}sitemap.xml", "--no-follow")
    assert "2 files, an index among them; 1 URL" in followed.stderr
    assert "not checked: 1 sitemap that an index lists" in alone.stderr


@pytest.mark.parametrize("lines", ["Disallow: /*.xml$", "Disallow: /sitemap"])
def test_a_sitemap_that_robots_txt_blocks_is_an_error(write: Write, invoke: Invoke, lines: str) -> None:
    write({"index.html": "<title>a</title>", "robots.txt": f"User-agent: *\n{lines}\n"})
    Path("sitemap.xml").write_text(urlset(""))
    result = invoke("validate", "sitemap.xml", "--url", BASE, "--against", "site", "--set", "lastmod=none", "--json")
    assert (result.exit_code, findings(json.loads(result.stdout))) == (1, [("sitemap-disallowed", "sitemap.xml")])
    with serving({}) as server:
        server.answers |= {
            "/robots.txt": answer(f"User-agent: *\n{lines}\nSitemap: {server.url}/sitemap.xml\n"),
            "/sitemap.xml": answer(urlset("").replace(BASE, f"{server.url}/")),
        }
        result = invoke("validate", f"{server.url}/robots.txt", "--allow-private", "--json")
    assert [code for code, _ in findings(json.loads(result.stdout))] == ["sitemap-disallowed"]


def test_a_relative_url_in_robots_txt_is_an_error_and_its_sitemap_is_checked(write: Write, invoke: Invoke) -> None:
    write({"robots.txt": "Site-map: /maps/a.xml\n", "maps/a.xml": urlset("a").replace(BASE, "/")})
    of_folder = json.loads(invoke("validate", "site/robots.txt", "--json").stdout)
    assert sorted({code for code, _ in findings(of_folder)}) == ["loc-relative", "sitemap-relative"]
    assert invoke("validate", "site/robots.txt", "--url", BASE).exit_code == 1
    with serving({}) as server:
        server.answers |= {
            "/robots.txt": answer("Sitemap: sitemap.xml\n"),
            "/sitemap.xml": answer(urlset("").replace(BASE, f"{server.url}/")),
        }
        result = json.loads(invoke("validate", f"{server.url}/robots.txt", "--allow-private", "--json").stdout)
    assert findings(result) == [("sitemap-relative", f"{server.url}/robots.txt")]
    write({"robots.txt": "Sitemap: none.xml\n"})
    assert "site/none.xml, which site/robots.txt names, does not exist" in invoke("validate", "site/robots.txt").stderr


def test_the_sitemaps_in_the_folders_of_a_folder_are_checked_at_their_urls(write: Write, invoke: Invoke) -> None:
    nested = {"blog/sitemap.xml": urlset("blog/a"), "blog/other.xml": urlset(""), ".git/sitemap.xml": urlset("")}
    write({"sitemap.xml": urlset("a"), **nested, "docs/sitemap.xml": "<html></html>"})
    answered = json.loads(invoke("validate", "site", "--url", BASE, "--json").stdout)
    assert [each["loc"] for each in answered["files"]] == [f"{BASE}sitemap.xml", f"{BASE}blog/sitemap.xml"]
    assert answered["findings"] == []


@pytest.mark.parametrize(
    ("is_gzip", "headers", "codes"),
    [
        (False, {"Content-Encoding": "gzip"}, ["sent-as-gzip"]),
        (False, {"Content-Type": "application/x-gzip; a=b"}, ["sent-as-gzip"]),
        (True, {"Content-Type": "application/xml"}, ["gzip-sent-as-plain"]),
        (True, {"Content-Encoding": "x-gzip"}, []),
        (True, {"Content-Type": "application/gzip"}, []),
    ],
)
def test_what_a_server_says_of_compression_is_compared_with_the_bytes(
    invoke: Invoke, is_gzip: bool, headers: dict[str, str], codes: list[str]
) -> None:
    with serving({}) as server:
        body = urlset("").replace(BASE, f"{server.url}/").encode()
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items()).encode()
        sent = answer(gzip.compress(body) if is_gzip else body)
        server.answers["/sitemap.xml"] = sent.replace(b"\r\n", b"\r\n" + lines, 1)
        result = invoke("validate", f"{server.url}/sitemap.xml", "--allow-private", "--json")
    assert [code for code, _ in findings(json.loads(result.stdout))] == codes


def test_without_a_target_the_project_s_site_is_checked_and_compared_with_itself(
    write: Write, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {f"public/{name}.html": f"<!doctype html><title>{name}</title>" for name in ("index", "a")}
    monkeypatch.chdir(
        write({**pages, "public/sitemap.xml": urlset("").replace(BASE, SITE), "hugo.toml": f'baseURL = "{SITE}"'})
    )
    answer = json.loads(invoke("validate", "--json").stdout)
    assert [each["loc"] for each in answer["files"]] == [f"{SITE}sitemap.xml"]
    compared = json.loads(invoke("validate", "--json", "--against").stdout)
    assert [(code, Path(file).name) for code, file in findings(compared)] == [("unlisted", "a.html")]


def test_the_base_url_says_where_the_files_of_a_site_to_compare_with_are(write: Write, invoke: Invoke) -> None:
    write(
        {
            "index.html": "<title>Home</title>",
            "sitemap.xml": urlset(""),
            "robots.txt": "User-agent: *\nDisallow: /sitemap.xml",
        }
    )
    result = invoke("validate", "site", "--against", "site", "--base-url", BASE)
    assert (result.exit_code, "sitemap-disallowed" in result.stdout) == (1, True)


def report(count: int = 1, file: str = "sitemap.xml", most: int = 100) -> FindingReport:
    """A report with one kind of finding, in the first lines of a file."""
    made = FindingReport(most)
    for line in range(1, count + 1):
        made.add("unlisted", file, line, f"https://example.org/{line}\x1b[31m")
    return made


def test_a_finding_is_a_line_with_its_place_and_without_control_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_findings(report(), [], 0)
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("sitemap.xml:1: ")
    assert " unlisted: " in line
    assert "\x1b" not in line


def test_what_is_not_printed_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    print_findings(report(5, most=2), [], unfollowed=3)
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 2
    assert "  and 3 more of unlisted (--most 0 prints all)" in printed.err
    assert "  not checked: 3 sitemaps that an index lists" in printed.err


def test_the_summary_does_not_count_the_entries_of_an_index_as_urls(capsys: pytest.CaptureFixture[str]) -> None:
    files = [FileResult("i.xml", "", "sitemapindex", 1), FileResult("a.xml", "", "urlset", 7)]
    print_findings(FindingReport(), files, 0)
    assert capsys.readouterr().err == "2 files, an index among them; 7 URLs: 0 errors, 0 warnings, 0 notes\n"


def test_in_a_workflow_a_finding_is_an_annotation_at_a_file_of_the_workspace(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    Path("maps").mkdir()
    Path("maps/sitemap.xml").write_text("")
    print_findings(report(file="maps/sitemap.xml"), [], 0)
    print_findings(report(file="https://example.org/sitemap.xml"), [], 0)
    inside, outside = capsys.readouterr().out.splitlines()
    assert "file=maps/sitemap.xml,line=1,title=Waypost%3A unlisted::" in inside
    assert "file=" not in outside.split("::")[1]
    assert outside.split("::")[2].startswith("https://example.org/sitemap.xml: ")
