"""Every JSON answer is what its schema says: of each command, and of each event of the function."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from integration.test_function import Called, Context, bridged, queued
from servers import running
from webmaster_apis import BING_KEY, SITEMAP, WebmasterApis, bing_error

if TYPE_CHECKING:
    from buckets import MadeBucket
    from sites import Command, Write

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
BASE = "https://example.org/"
FLAGS = ("--base-url", BASE)
SITE = {
    "index.html": "<title>Home</title>",
    "hidden.html": "<meta name=robots content=noindex>",
    "foreign.html": "<link rel=canonical href='https://other.example/'>",
    "style.css": "a{}",
}


def strict(schema: Any) -> Any:
    """The same schema, which also refuses a field that it does not name."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {"additionalProperties": False} if "properties" in schema else {}
    return {**closed, **{key: strict(value) for key, value in schema.items()}}


def check(answer: Any, name: str) -> None:
    """Fail where an answer is not of its schema."""
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_bytes())
    jsonschema.Draft202012Validator(strict(schema)).validate(answer)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("build", ("build", "site", *FLAGS)),
        ("explain", ("explain", "site", "index.html", "hidden.html", "absent.html", *FLAGS)),
        ("report", ("report", "site", *FLAGS)),
        ("audit", ("audit", "site", *FLAGS)),
        ("validate", ("validate", "site/sitemap.xml", "absent.xml")),
        ("diff", ("diff", "site/sitemap.xml", "old.xml")),
    ],
)
def test_the_answer_of_a_command_on_a_folder_is_of_its_schema(
    write: Write, waypost: Command, tmp_path: Path, name: str, arguments: tuple[str, ...]
) -> None:
    write(SITE)
    assert waypost("build", "site", *FLAGS).returncode == 0
    old = (tmp_path / "site" / "sitemap.xml").read_text().replace("index.html", "x.html")
    (tmp_path / "old.xml").write_text(old.replace("foreign", "gone"))
    check(json.loads(waypost(*arguments, "--json").stdout), name)


def test_the_answers_of_the_commands_on_a_bucket_are_of_their_schemas(
    bucket: MadeBucket, waypost: Command, tmp_path: Path
) -> None:
    bucket.put(SITE)
    source, flags = f"s3://{bucket.name}", (*FLAGS, "--state", str(tmp_path / "kept"), "--json")
    for name, arguments in (
        ("run", ("build", source)),
        ("run", ("update", source, "index.html", "absent.html")),
        ("status", ("status", source)),
        ("check", ("status", source, "--check")),
        ("explain", ("explain", source, "index.html", "hidden.html", "absent.html")),
    ):
        check(json.loads(waypost(*arguments, *flags).stdout), name)


def test_the_answer_of_search_engines_is_of_its_schema(waypost: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with running(WebmasterApis()) as webmasters:
        webmasters.refuse("/bing", bing_error(8, "Refused"))
        environ = {"BING_WEBMASTER_API_KEY": BING_KEY, "WAYPOST_BING_WEBMASTER_URL": webmasters.bing_url}
        environ["GITHUB_STEP_SUMMARY"] = ""
        sitemaps = SITEMAP, f"{SITEMAP}?2"
        done = waypost("submit", *sitemaps, "--to", "bing", "--json", **environ)
    check(json.loads(done.stdout), "submit")


@pytest.mark.slow
def test_the_function_s_answers_are_of_their_schemas(bucket: MadeBucket) -> None:
    bucket.put({f"www/{key}": content for key, content in SITE.items()})
    called = Called(bucket)
    check(called({"action": "rebuild"}, Context([900_000, 1_000])), "run")
    check(called.ask("check"), "check")
    check(called.ask("rebuild"), "run")
    check(called.ask("check"), "check")
    check(called.ask("status"), "function-status")
    check(called.ask("explain", keys=["index.html", "hidden.html"]), "function-explain")
    check(called.ask("update", key="index.html"), "run")
    check(called.ask("nonsense"), "function-error")
    check(called(queued("no event", bridged(bucket.name, "www/index.html"))), "function-batch")


def test_a_failure_that_the_status_remembers_is_of_its_schema(bucket: MadeBucket) -> None:
    bucket.put({"www/index.html": "<title>Home</title>"})
    called = Called(bucket)
    called.ask("rebuild")
    bucket.put({"www/new.html": b"no gzip"}, ContentEncoding="gzip")
    with pytest.raises(Exception, match="cannot read"):
        called(bridged(bucket.name, "www/new.html"))
    status = called.ask("status")
    assert status["last_error"].keys() == {"time", "message", "type", "request_id"}
    check(status, "function-status")
