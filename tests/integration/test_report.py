"""`waypost report`, as people run it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from builds import page

if TYPE_CHECKING:
    from pathlib import Path

    from buckets import MadeBucket
    from sites import Command, Write

FLAGS = ("--base-url", "https://example.org/")
SITE = {
    "index.html": page(),
    "blog/one.html": page("One"),
    "blog/private.html": page(head='<meta name="robots" content="noindex">'),
}


def problems(report: Path) -> dict[str, int]:
    """The problems of a report: the code of each, and its number of pages."""
    content = report.read_text()
    data = json.loads(re.search(r'id="data">(.*?)</script>', content)[1])  # type: ignore[index]
    codes = re.findall(r'data-problem="(\d+)".*?Found by [^:]*: <code>(.*?)</code>', content, re.DOTALL)
    rows = {code: data["problems"][int(n)] for n, code in codes}
    return {code: sum(map(_pages_of, some)) for code, some in rows.items()}


def _pages_of(row: Any) -> int:
    """How many pages a row of a problem is about."""
    return len(row[1]) if isinstance(row, list) and isinstance(row[1], list) else 1


def test_a_folder_s_report_is_one_file_and_nothing_else_is_written(
    write: Write, waypost: Command, tmp_path: Path
) -> None:
    source, target = write(SITE), tmp_path / "report.html"
    before = sorted(source.rglob("*"))
    done = waypost("report", str(source), *FLAGS, "--set", "lastmod=none", "--to", str(target))
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == f"2 pages listed, nothing to fix; the report is {target}"
    content = target.read_text()
    assert "2 pages are listed, and nothing needs to be fixed." in content
    assert '["blog/private.html",1,"noindex"]' in content
    assert sorted(source.rglob("*")) == before


def test_the_same_site_at_the_same_time_has_the_same_report(write: Write, waypost: Command, tmp_path: Path) -> None:
    source = write(SITE)
    made = []
    for name in ("a.html", "b.html"):
        waypost("report", str(source), *FLAGS, "--to", str(tmp_path / name), SOURCE_DATE_EPOCH="1700000000")
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]


def test_a_bucket_s_report_shows_what_its_state_holds(bucket: MadeBucket, waypost: Command, tmp_path: Path) -> None:
    bucket.put({f"www/{key}": content for key, content in SITE.items()})
    flags = (*FLAGS, "--state", str(tmp_path / "kept"))
    waypost("build", f"s3://{bucket.name}/www", *flags)
    done = waypost("report", f"s3://{bucket.name}/www", *flags, "--to", "report.html", "--json")
    answer = json.loads(done.stdout)
    assert [each["code"] for each in answer.pop("problems")] == ["no-dates"]  # a new state has none
    assert answer == {
        "report": "report.html",
        "url_count": 2,
        "excluded_by_reason": {"noindex": 1},
        "is_healthy": False,
    }
    assert '["blog/private.html",1,"noindex"]' in (tmp_path / "report.html").read_text()
    assert done.stderr.splitlines()[-1] == "2 pages listed, 1 thing to fix; the report is report.html"


def test_a_bucket_s_report_shows_what_is_wrong_with_all_pages_of_its_state(
    bucket: MadeBucket, waypost: Command, tmp_path: Path
) -> None:
    head = '<link rel="canonical" href="https://elsewhere.example/">'
    bucket.put({f"www/{n}.html": page(f"Page {n}", head) for n in range(9)})
    flags = (*FLAGS, "--state", str(tmp_path / "kept"))
    waypost("build", f"s3://{bucket.name}/www", *flags)
    done = waypost("report", f"s3://{bucket.name}/www", *flags, "--to", "report.html")
    assert "9 pages listed, 2 things to fix" in done.stderr
    assert problems(tmp_path / "report.html") == {"foreign-canonical": 9, "no-dates": 0}


def test_the_report_has_all_pages_of_a_warning_and_not_only_its_examples(
    write: Write, waypost: Command, tmp_path: Path
) -> None:
    head = '<link rel="canonical" href="https://elsewhere.example/">'
    source = write({f"{n}.html": page(f"Page {n}", head) for n in range(40)})
    done = waypost("report", str(source), *FLAGS, "--set", "lastmod=none", "--to", "report.html")
    assert "40 pages listed, 1 thing to fix" in done.stderr
    assert problems(tmp_path / "report.html") == {"foreign-canonical": 40}


def test_the_report_counts_titles_and_descriptions_whatever_the_settings_list(
    write: Write, waypost: Command, tmp_path: Path
) -> None:
    waypost("report", str(write(SITE)), *FLAGS, "--set", "lastmod=none", "--to", "report.html")
    content = (tmp_path / "report.html").read_text()
    assert "<span>a title</span><b>2 of 2 (100%)</b>" in content
    assert "<span>a description</span><b>0 of 2 (0%)</b>" in content


def test_the_report_compares_the_present_sitemap_of_another_tool_with_the_site(
    write: Write, waypost: Command, tmp_path: Path
) -> None:
    body = "<url><loc>https://example.org/gone.html</loc></url>"
    xml = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{body}</urlset>'
    source = write({**SITE, "sitemap.xml": xml})
    waypost("report", str(source), *FLAGS, "--set", "lastmod=none", "--to", "report.html")
    assert problems(tmp_path / "report.html") == {"listed-missing": 1, "unlisted": 2}


def test_a_report_is_not_written_to_a_pipe(write: Write, waypost_process: Command) -> None:
    done = waypost_process("report", str(write(SITE)), *FLAGS, "--set", "lastmod=none", "--to", "/dev/stdout")
    assert (done.returncode, "is not a file" in done.stderr) == (5, True)
