"""Sitemaps submitted to several search engines: one failure costs the others nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from webmaster_apis import BING_KEY, PROPERTY, SITEMAP, WebmasterApis, bing_error, google_error

from waypost.build import submissions
from waypost.build.answers import to_json
from waypost.build.submissions import (
    SubmitAnswer,
    engine_errors,
    engines_of,
    problems,
    read_answer,
    submissions_of,
    summary_markdown,
    table_lines,
)
from waypost.core.clock import ONE_ATTEMPT, Retry
from waypost.core.errors import ConfigurationError, SourceError
from waypost.notify.bing_webmaster import BingWebmaster
from waypost.notify.search_console import SearchConsole
from waypost.notify.submission import SitemapEngine, SitemapStatus, Submission

if TYPE_CHECKING:
    from pathlib import Path

OTHER = "https://www.waypost.dev/news.xml"
SITE = "https://www.waypost.dev/"
READ = SitemapStatus(None, "2026-11-20T10:15:00Z", False, "", False, 0, 2, 30)
FOUND = [
    Submission("google", SITE, f"{SITE}sitemap.xml", True, READ),
    Submission("bing", SITE, f"{SITE}s.xml", False, None, "no | access to <b>@you</b>"),
    Submission("bing", SITE, f"{SITE}e.xml", True, SitemapStatus(state="Error", has_errors=True)),
]


class Token:
    """A token that the server accepts."""

    account = ""

    def __init__(self, server: WebmasterApis) -> None:
        server.tokens.append("token")

    def token(self, *, is_renewed: bool = False) -> str:
        del is_renewed
        return "token"


def both(webmasters: WebmasterApis) -> list[SitemapEngine]:
    return [
        SearchConsole(Token(webmasters), webmasters.google_url),
        BingWebmaster(BING_KEY, webmasters.bing_url),
    ]


def run(
    webmasters: WebmasterApis, *sitemaps: str, site: str | None = None, submits: bool = True, retry: Retry = ONE_ATTEMPT
) -> list[Submission]:
    return list(submissions_of(both(webmasters), sitemaps, site, submits=submits, retry=retry))


def test_each_sitemap_is_submitted_to_each_engine_once_for_its_origin(webmasters: WebmasterApis) -> None:
    found = run(webmasters, SITEMAP, OTHER, SITEMAP)
    assert [(each.engine, each.sitemap, each.site, each.is_submitted) for each in found] == [
        (engine, sitemap, PROPERTY, True) for engine in ("google", "bing") for sitemap in (SITEMAP, OTHER)
    ]
    assert all(each.status and not each.problem for each in found)
    assert list(webmasters.google) == list(webmasters.bing) == [(PROPERTY, SITEMAP), (PROPERTY, OTHER)]


def test_the_origin_is_written_as_the_engines_write_it(webmasters: WebmasterApis) -> None:
    sitemap = "HTTPS://WWW.Waypost.dev/Sitemap.xml"
    assert [(each.site, each.sitemap, each.problem) for each in run(webmasters, sitemap)] == [
        (PROPERTY, sitemap, "")
    ] * 2


def test_the_property_of_a_domain_is_for_google_and_the_origin_for_bing(webmasters: WebmasterApis) -> None:
    webmasters.properties = webmasters.known_properties = {"sc-domain:waypost.dev"}
    found = run(webmasters, SITEMAP, site="sc-domain:waypost.dev")
    assert [(each.site, each.problem) for each in found] == [("sc-domain:waypost.dev", ""), (PROPERTY, "")]


def test_a_site_that_is_named_is_meant_at_both_engines(webmasters: WebmasterApis) -> None:
    webmasters.properties = webmasters.known_properties = webmasters.sites = {"https://www.waypost.dev/docs/"}
    found = run(webmasters, SITEMAP, site="https://www.waypost.dev/docs/")
    assert [each.problem for each in found] == ["", ""]


def test_a_failure_of_one_engine_or_sitemap_costs_no_other_its_result(webmasters: WebmasterApis) -> None:
    webmasters.refuse("/google", google_error(400, "invalid", "No sitemap."))
    webmasters.sites.clear()
    found = run(webmasters, SITEMAP, OTHER)
    assert [(each.is_submitted, each.status is not None) for each in found] == [
        (False, False),
        (True, True),
        (False, False),
        (False, False),
    ]
    assert found[0].problem == "Google answers 400: No sitemap"


@pytest.mark.parametrize(
    ("answer", "problem"), [(bing_error(8, "Refused"), "Bing answers 400: ERROR!!! Refused"), ((200, {"d": []}), "")]
)
def test_what_is_submitted_and_cannot_be_read_back_or_is_not_known_yet_counts_as_submitted(
    webmasters: WebmasterApis, answer: Any, problem: str
) -> None:
    webmasters.refuse("/bing/GetFeedDetails", answer)
    _, found = run(webmasters, SITEMAP)
    assert (found.is_submitted, found.status, found.problem) == (True, None, problem)


def test_reading_back_alone_submits_nothing(webmasters: WebmasterApis) -> None:
    webmasters.bing[PROPERTY, SITEMAP] = {"Url": SITEMAP, "Status": "Pending"}
    google, bing = run(webmasters, SITEMAP, submits=False)
    assert google.problem == f"it was not submitted for {PROPERTY}; run this without --status"
    assert bing.status == SitemapStatus(is_pending=True, state="Pending")
    assert (google.is_submitted, bing.is_submitted, webmasters.google) == (False, False, {})


def test_what_an_engine_refuses_for_now_is_tried_again_with_pauses(webmasters: WebmasterApis) -> None:
    webmasters.refuse("/google", google_error(429, ""), google_error(503, ""))
    pauses: list[float] = []
    found = run(webmasters, SITEMAP, retry=Retry(lambda: False, pauses.append, lambda: 0))
    assert ([each.problem for each in found], pauses) == (["", ""], [1, 2])


def test_what_an_engine_still_refuses_is_a_failure(webmasters: WebmasterApis) -> None:
    webmasters.refuse("/google", *[google_error(403, "rateLimitExceeded")] * 6)
    found = run(webmasters, SITEMAP, retry=Retry(lambda: False, lambda seconds: None))
    assert found[0].problem == "Google answers 403: too many requests; run this again in a few minutes"
    assert found[1].problem == ""


def test_all_requests_of_a_run_are_repeated_for_two_minutes_together(webmasters: WebmasterApis) -> None:
    webmasters.refuse("/google", *[google_error(503, "")] * 100)
    times = [0.0]
    retry = submissions.patient_retry(lambda seconds: times.append(times[-1] + seconds), lambda: times[-1])
    found = run(webmasters, *(f"{PROPERTY}{n}.xml" for n in range(20)), retry=retry)
    assert all("it has a problem of its own" in each.problem for each in found[:20])
    assert 120 <= times[-1] < 150


def test_the_engines_are_those_whose_credentials_are_in_the_environment() -> None:
    google, bing = {"GOOGLE_APPLICATION_CREDENTIALS": "key.json"}, {"BING_WEBMASTER_API_KEY": " key\n"}
    for environ, names in ((google, ["google"]), (bing, ["bing"]), ({**bing, **google}, ["google", "bing"])):
        assert [each.name for each in engines_of((), environ)] == names
    assert [each.name for each in engines_of(("bing", "bing"), {**bing, **google})] == ["bing"]


@pytest.mark.parametrize(
    ("names", "environ", "problem"),
    [
        ((), {}, "GOOGLE_APPLICATION_CREDENTIALS and BING_WEBMASTER_API_KEY: none of them is set"),
        (("bing",), {"BING_WEBMASTER_API_KEY": " "}, "BING_WEBMASTER_API_KEY: it is not set, and --to bing needs it"),
        (("google",), {"BING_WEBMASTER_API_KEY": "k"}, "GOOGLE_APPLICATION_CREDENTIALS: it is not set, and --to goo"),
        ((), {"BING_WEBMASTER_API_KEY": "k", "WAYPOST_BING_WEBMASTER_URL": "x"}, "WAYPOST_BING_WEBMASTER_URL: it is"),
    ],
)
def test_credentials_that_are_missing_are_named(names: tuple[str, ...], environ: dict[str, str], problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        engines_of(names, environ)


@pytest.mark.parametrize(
    ("text", "site"),
    [
        ("sc-domain:waypost.dev", "sc-domain:waypost.dev"),
        ("https://www.waypost.dev/", "https://www.waypost.dev/"),
        ("https://www.waypost.dev", "https://www.waypost.dev/"),
        ("http://www.waypost.dev/docs", "http://www.waypost.dev/docs/"),
    ],
)
def test_a_property_is_a_domain_or_a_url_that_ends_with_a_slash(text: str, site: str) -> None:
    assert submissions.checked_site(text) == site


@pytest.mark.parametrize("text", ["www.waypost.dev", "sc-domain:", "ftp://waypost.dev/", "https://", "http://[/"])
def test_what_is_no_property_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"--site: .* is no property"):
        submissions.checked_site(text)


def test_everything_that_is_no_url_of_a_sitemap_is_named_at_once() -> None:
    submissions.check_sitemaps([SITEMAP])
    wrong = ["sitemap.xml", "https://user@www.waypost.dev/x.xml", "https://www.waypost.dev/a b.xml", "https://a/\n"]
    with pytest.raises(ConfigurationError) as raised:
        submissions.check_sitemaps([SITEMAP, *wrong])
    assert len(raised.value.issues) == 4


def test_an_answer_is_read_back_from_the_file_that_it_was_printed_into(
    webmasters: WebmasterApis, tmp_path: Path
) -> None:
    answer = SubmitAnswer(1, "2026-11-27T12:00:00Z", run(webmasters, SITEMAP))
    file = tmp_path / "submitted.json"
    file.write_bytes(to_json(answer))
    assert read_answer(file) == answer


@pytest.mark.parametrize("content", ["", "[]", "{}", json.dumps({"schema_version": 1, "submissions": "x"}), "\udcff"])
def test_another_file_is_no_answer(tmp_path: Path, content: str) -> None:
    file = tmp_path / "other.json"
    file.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(SourceError, match="is not what `waypost submit --json` prints"):
        read_answer(file)
    with pytest.raises(SourceError, match="cannot be read"):
        read_answer(tmp_path / "none.json")


def test_a_table_has_columns_as_wide_as_what_is_in_them() -> None:
    assert list(table_lines(FOUND)) == [
        "engine  sitemap                              state      last read             errors  warnings  URLs",
        "google  https://www.waypost.dev/sitemap.xml  processed  2026-11-20 10:15 UTC  0       2         30",
        "bing    https://www.waypost.dev/s.xml        failed     -                     -       -         -",
        "bing    https://www.waypost.dev/e.xml        Error      never                 -       -         -",
    ]


def test_control_characters_of_an_engine_are_shown_as_escapes() -> None:
    found = Submission("bing", SITE, SITE, True, SitemapStatus(state="\x1b[2J"))
    assert "\\x1b[2J" in list(table_lines([found]))[1]


def test_problems_and_errors_name_the_engine_and_the_sitemap() -> None:
    assert problems(FOUND) == [f"bing, {SITE}s.xml: no | access to <b>@you</b>"]
    assert engine_errors(FOUND) == [
        f"bing, {SITE}e.xml: the engine reports errors in it; Sitemaps in Bing Webmaster Tools names them"
    ]


def test_the_summary_of_a_job_is_a_table_in_which_no_text_is_markup() -> None:
    assert summary_markdown(FOUND).splitlines() == [
        "## Sitemaps at search engines",
        "",
        "| engine | sitemap | state | last read | errors | warnings | URLs |",
        "|---|---|---|---|---|---|---|",
        f"| google | {SITE}sitemap.xml | processed | 2026-11-20 10:15 UTC | 0 | 2 | 30 |",
        f"| bing | {SITE}s.xml | failed | - | - | - | - |",
        f"| bing | {SITE}e.xml | Error | never | - | - | - |",
        "",
        f"- bing, {SITE}s.xml: no \\| access to &lt;b>&#64;you&lt;/b>",
        f"- bing, {SITE}e.xml: the engine reports errors in it; Sitemaps in Bing Webmaster Tools names them",
    ]
