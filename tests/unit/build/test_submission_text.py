"""Submissions for people, on a terminal and in the summary of a job."""

from waypost.build.submissions import engine_errors, problems, summary_markdown, table_lines
from waypost.notify.submission import SitemapStatus, Submission

SITE = "https://www.waypost.dev/"
READ = SitemapStatus(None, "2026-11-20T10:15:00Z", False, "", False, 0, 2, 30)
FOUND = [
    Submission("google", SITE, f"{SITE}sitemap.xml", True, READ),
    Submission("bing", SITE, f"{SITE}s.xml", False, None, "no | access to <b>@you</b>"),
    Submission("bing", SITE, f"{SITE}e.xml", True, SitemapStatus(state="Error", has_errors=True)),
]


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
