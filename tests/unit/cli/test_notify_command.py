"""`waypost notify`, against a search engine that also publishes the key of the site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from search_engine import KEY, SearchEngine
from unit.cli.invoke import BASE, urlset

if TYPE_CHECKING:
    from fake_cloud import Cloud
    from sites import Write
    from unit.cli.invoke import Invoke

pytestmark = pytest.mark.usefixtures("without_proxies")
PAGES = {"index.html": "<title>Home</title>", "a.html": "<title>A</title>"}


def indexnow(engine: SearchEngine) -> tuple[str, ...]:
    return "--set", f'indexnow={{ key = "{KEY}", engine = "{engine.url}/indexnow" }}'


def flags(engine: SearchEngine) -> tuple[str, ...]:
    return "--base-url", engine.site, "--set", "lastmod=none", *indexnow(engine)


def build_with_changes(write: Write, invoke: Invoke, engine: SearchEngine) -> None:
    """Publish a page more than before, and keep the changes in a file."""
    site = write(PAGES)
    assert invoke("build", "site", *flags(engine), "--changes", "first.json").exit_code == 0
    (site / "b.html").write_text("<title>B</title>")
    assert invoke("build", "site", *flags(engine), "--changes", "changes.json").exit_code == 0


def test_changes_are_kept_for_the_time_when_the_site_is_deployed(
    write: Write, invoke: Invoke, engine: SearchEngine
) -> None:
    build_with_changes(write, invoke, engine)
    command = ("notify", "--changes", "changes.json", *indexnow(engine))
    dry = invoke(*command, "--dry-run")
    assert (dry.stdout, engine.submitted) == (f"{engine.site}b.html\n", [])
    assert "indexnow: would be sent 1 URL\n" in dry.stderr
    result = invoke(*command)
    assert (result.exit_code, engine.submitted) == (0, [[f"{engine.site}b.html"]])
    assert "indexnow: sent 1 URL\n" in result.stderr
    engine.key_file = None
    refused = invoke(*command, "--json")
    answer = json.loads(refused.stdout)
    (subscriber,) = answer["subscribers"]
    assert (refused.exit_code, answer["urls"], answer["written"]) == (7, [f"{engine.site}b.html"], ["sitemap.xml"])
    assert (answer["url_count"], subscriber["subscriber"]) == (1, "indexnow")
    assert f"publish a file {KEY}.txt" in subscriber["problem"]


def test_urls_of_a_changes_file_are_printed_as_text(write: Write, invoke: Invoke, engine: SearchEngine) -> None:
    build_with_changes(write, invoke, engine)
    changes = Path("changes.json")
    changes.write_text(changes.read_text().replace("b.html", "b\\u001b]0;x\\u0007\\n::add-mask::e"))
    result = invoke("notify", "--changes", "changes.json", *indexnow(engine), "--dry-run")
    assert f"{engine.site}b\\x1b]0;x\\x07\\n::add-mask::e\n" in result.output


def test_without_a_file_for_the_changes_a_build_sends_them_itself(
    write: Write, invoke: Invoke, engine: SearchEngine
) -> None:
    for names in (PAGES, {"b.html": "<title>B</title>"}):
        write(names)
        assert invoke("build", "site", *flags(engine)).exit_code == 0
    assert engine.submitted == [[f"{engine.site}b.html"]]


def test_all_urls_of_a_folder_are_sent_on_demand(write: Write, invoke: Invoke, engine: SearchEngine) -> None:
    write(PAGES)
    result = invoke("notify", "site", "--all", *flags(engine))
    assert result.exit_code == 0, result.output
    assert engine.submitted == [[f"{engine.site}a.html", engine.site]]


def test_all_urls_of_a_bucket_are_sent_on_demand(cloud: Cloud, invoke: Invoke, engine: SearchEngine) -> None:
    cloud.site.put("a.html", "a")
    state = ("--base-url", engine.site, "--set", "state=cloud://private/state")
    assert invoke("build", "cloud://site/", *state).exit_code == 0
    result = invoke("notify", "cloud://site/", "--all", *state, *indexnow(engine))
    assert result.exit_code == 0, result.output
    assert engine.submitted == [[f"{engine.site}a.html"]]


def test_what_a_bucket_s_run_could_not_send_is_sent_later(cloud: Cloud, invoke: Invoke, engine: SearchEngine) -> None:
    cloud.site.put("a.html", "a")
    arguments = ("cloud://site/", "--base-url", engine.site, "--set", "state=cloud://private/state")
    assert invoke("build", *arguments, *indexnow(engine)).exit_code == 0
    cloud.site.put("b.html", "b")
    engine.status = 503
    done = invoke("update", arguments[0], "b.html", *arguments[1:], *indexnow(engine))
    assert "indexnow failed: " in done.stderr
    result = invoke("notify", *arguments, *indexnow(engine), "--dry-run")
    assert result.stdout.splitlines() == [f"{engine.site}b.html"]
    engine.status = 0
    result = invoke("notify", *arguments, *indexnow(engine))
    assert result.exit_code == 0, result.output
    assert engine.submitted == [[f"{engine.site}b.html"]]


def sitemap(dates: dict[str, str]) -> str:
    """A sitemap that lists these URLs with their dates, if they have one."""
    entries = "".join(
        f"<url><loc>{loc}</loc>{f'<lastmod>{date}</lastmod>' if date else ''}</url>" for loc, date in dates.items()
    )
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


def test_what_differs_between_two_sitemaps_of_any_tool_is_sent(invoke: Invoke, engine: SearchEngine) -> None:
    same, gone, new, dated = (f"{engine.site}{name}" for name in ("same", "gone", "new", "dated"))
    Path("old.xml").write_text(sitemap({same: "", gone: "", dated: "2026-01-01"}))
    Path("new.xml").write_text(sitemap({same: "", new: "", dated: "2026-01-02"}))
    command = ("notify", "--from", "old.xml", "--to", "new.xml", *indexnow(engine))
    dry = json.loads(invoke(*command, "--base-url", engine.site, "--dry-run", "--json").stdout)
    assert (dry["url_count"], engine.submitted) == (3, [])
    result = invoke(*command, "--base-url", engine.site)
    assert result.exit_code == 0, result.output
    assert [sorted(urls) for urls in engine.submitted] == [[dated, gone, new]]
    assert "indexnow: sent 3 URLs" in result.stderr


def test_the_base_url_of_two_sitemaps_is_their_host(invoke: Invoke) -> None:
    for name, path in (("old.xml", "a"), ("new.xml", "b")):
        Path(name).write_text(urlset(path))
    command = ("notify", "--from", "old.xml", "--to", "new.xml", "--set", f'indexnow="{KEY}"', "--dry-run", "--json")
    assert json.loads(invoke(*command).stdout)["urls"] == [f"{BASE}b", f"{BASE}a"]


def test_what_changed_since_a_date_is_sent_without_an_older_sitemap(invoke: Invoke) -> None:
    days = {"a": "2026-01-01", "b": "2026-01-02", "c": "2026-01-03T00:00:00Z", "d": ""}
    Path("new.xml").write_text(sitemap({f"{BASE}{path}": day for path, day in days.items()}))
    command = ("notify", "--to", "new.xml", "--set", f'indexnow="{KEY}"', "--dry-run", "--json", "--since")
    for since, paths in (("2026-01-02", "bc"), ("2026-01-02T23:00:00+01:00", "bc"), ("2026-01-03", "c")):
        assert json.loads(invoke(*command, since).stdout)["urls"] == [f"{BASE}{path}" for path in paths]


def test_urls_of_another_host_are_not_counted_as_sent(invoke: Invoke, engine: SearchEngine, tmp_path: Path) -> None:
    urls = [f"{engine.site}a", f"{engine.site}b", f"{engine.url}/outside", f"http://localhost:{engine.port}/c"]
    (tmp_path / "old.xml").write_text(sitemap({f"{engine.site}old": ""}))
    (tmp_path / "new.xml").write_text(sitemap(dict.fromkeys([f"{engine.site}old", *urls], "")))
    sitemaps = ("--from", str(tmp_path / "old.xml"), "--to", str(tmp_path / "new.xml"), "--base-url", engine.site)
    done = invoke("notify", *sitemaps, *indexnow(engine), "--dry-run")
    assert done.stdout.splitlines() == [*urls[:2], urls[3]]
    assert "indexnow: would be sent 3 URLs" in done.stderr
    done = invoke("notify", *sitemaps, *indexnow(engine), "--allow-private")
    assert (done.exit_code, engine.submitted) == (0, [urls[:2]])
    text = done.stderr.replace("\n", " ")
    assert f"1 URL not sent, {urls[2]}: it is not below {engine.site}" in text
    assert f"1 URL not sent, {urls[3]}: http://localhost:{engine.port}/{KEY}.txt answers 404" in text
    assert "indexnow: sent 2 URLs" in text
    assert "the sitemaps are published" not in text
