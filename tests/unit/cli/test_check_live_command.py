"""`waypost check-live`: what is asked, its answer, and its exit codes."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from fake_stores import VirtualClock
from servers import Send, Server, answer, serving
from unit.cli.invoke import BASE, index, urlset
from unit.live.fake_site import FakeSite, reply

from waypost.cli.check_live_command import LiveRun, print_findings
from waypost.cli.target_opener import TargetOpener
from waypost.core.clock import SYSTEM_CLOCK
from waypost.core.errors import SourceError, StoreError
from waypost.core.finding_types import LIVE_RULES
from waypost.core.private_hosts import EVERY_HOST, NO_PRIVATE_HOST
from waypost.files.guarded_http import Timeouts
from waypost.live.check import Totals
from waypost.live.robots_rules import made_up_url
from waypost.live.transport import HttpSender, LiveRequest, Reply
from waypost.validate.findings import FindingReport

if TYPE_CHECKING:
    from click.testing import Result
    from unit.cli.invoke import Invoke


PAGE = answer("<title>Page</title>", Content_Type="text/html")
NEVER = Event()
FAST = ("--allow-private", "--rate", "1000")


pytestmark = pytest.mark.usefixtures("without_proxies")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving({"/a": PAGE, "HEAD /a": PAGE, "/b": PAGE, "HEAD /b": PAGE}) as running:
        yield running


def sitemap(server: Server, *paths: str) -> str:
    """The URL of a sitemap that lists these paths of the server."""
    server.answers["/sitemap.xml"] = answer(urlset(*paths).replace(BASE, f"{server.url}/"))
    return f"{server.url}/sitemap.xml"


def answered(result: Result) -> Any:
    return json.loads(result.stdout)


def test_a_site_without_faults_passes(server: Server, invoke: Invoke) -> None:
    result = invoke("check-live", sitemap(server, "a", "b"), *FAST)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "2 URLs listed, 2 asked: 0 errors, 0 warnings, 0 notes" in result.stderr
    assert server.asked[:2] == ["/sitemap.xml", "/robots.txt"]
    made_up = made_up_url(server.url).removeprefix(server.url)
    assert sorted(server.asked[2:]) == [made_up, "HEAD /a", "HEAD /b"]


def test_the_answer_in_json_has_each_fault(server: Server, invoke: Invoke) -> None:
    result = invoke("check-live", sitemap(server, "a", "gone"), *FAST, "--json")
    found = answered(result)
    assert (result.exit_code, found["count_by_code"]) == (1, {"live-missing": 1})
    assert found["status_counts"] == {"200": 1, "404": 1}
    places = [(each["loc"], each["file"]) for each in found["findings"]]
    assert places == [(f"{server.url}/gone", f"{server.url}/sitemap.xml")]
    assert (found["url_count"], found["chosen_count"], found["asked_count"], found["failed"]) == (2, 2, 2, [])


def test_the_answer_in_json_has_all_faults_of_which_the_text_shows_the_first(server: Server, invoke: Invoke) -> None:
    address = sitemap(server, *(f"gone/{n}" for n in range(7)))
    assert len(answered(invoke("check-live", address, *FAST, "--json"))["findings"]) == 7
    assert len(answered(invoke("check-live", address, *FAST, "--json", "--most", "2"))["findings"]) == 2


def test_what_was_not_asked_does_not_pass(server: Server, invoke: Invoke) -> None:
    server.answers["/robots.txt"] = answer("User-agent: waypost\nDisallow: /b")
    result = invoke("check-live", sitemap(server, "a", "b"), *FAST)
    assert result.exit_code == 3
    assert result.stderr.splitlines()[-2:] == [
        "  not asked: 1 URL, since robots.txt disallows it",
        "error: 1 URL of 2 not asked",
    ]
    assert invoke("check-live", sitemap(server, "b", "gone"), *FAST).exit_code == 1


def test_what_is_outside_the_sample_is_named_last(server: Server, invoke: Invoke) -> None:
    result = invoke("check-live", sitemap(server, "a", "b"), *FAST, "--sample", "1")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (0, "  not asked: 1 URL outside the sample")


def test_after_the_time_nothing_is_asked(server: Server, invoke: Invoke) -> None:
    result = invoke("check-live", sitemap(server, "a", "b"), *FAST, "--max-minutes", "0", "--json")
    assert (result.exit_code, answered(result)["unasked_by_reason"]) == (3, {"the time was over (--max-minutes)": 2})


def test_private_hosts_are_not_asked(server: Server, invoke: Invoke) -> None:
    Path("a.xml").write_text(urlset("a").replace(BASE, f"{server.url}/"))
    result = invoke("check-live", "a.xml")
    assert (result.exit_code, server.asked) == (3, [])
    assert "at an address that may not be asked (--allow-private)" in result.stderr
    result = invoke("check-live", f"{server.url}/sitemap.xml")
    assert (result.exit_code, server.asked, "--allow-private" in result.stderr) == (3, [], True)


def test_pages_are_read_if_asked(server: Server, invoke: Invoke) -> None:
    server.answers["/a"] = answer("<meta name=robots content=noindex>", Content_Type="text/html")
    url = sitemap(server, "a")
    assert "not read: noindex" in invoke("check-live", url, *FAST).stderr
    result = invoke("check-live", url, *FAST, "--read-pages")
    assert (result.exit_code, "live-noindex" in result.stdout, "not read" in result.stderr) == (1, True, False)


def test_a_finished_run_is_repeated_with_conditions(server: Server, invoke: Invoke) -> None:
    server.answers["HEAD /a"] = answer(status=404)
    server.answers["/a"] = answer(status=404)
    arguments = ("check-live", sitemap(server, "a", "b"), *FAST, "--resume", "run")
    first, second = invoke(*arguments, "--json"), invoke(*arguments, "--json")
    assert (first.exit_code, first.stdout) == (1, second.stdout)
    assert server.asked.count("HEAD /b") == 2


def test_a_resumed_run_asks_only_the_rest(server: Server, invoke: Invoke) -> None:
    arguments = ("check-live", sitemap(server, "a", "b"), *FAST, "--resume", "run")
    assert invoke(*arguments, "--sample", "1").exit_code == 0
    first = set(server.asked)
    assert invoke(*arguments, "--max-minutes", "0").exit_code == 3
    server.asked.clear()
    assert invoke(*arguments).exit_code == 0
    assert len(first & {"HEAD /a", "HEAD /b"}) == 1
    assert {"HEAD /a", "HEAD /b"} - first <= set(server.asked)


def test_sitemaps_of_an_index_in_a_folder_are_read(server: Server, invoke: Invoke) -> None:
    Path("maps").mkdir()
    base = f"{server.url}/"
    Path("maps/sitemap.xml").write_text(index(f"{base}one.xml", f"{base}two.xml"))
    Path("maps/one.xml").write_text(urlset("a").replace(BASE, base))
    Path("maps/two.xml").write_text(urlset("a", "gone").replace(BASE, base))
    found = answered(invoke("check-live", "maps/sitemap.xml", "--url", base, *FAST, "--json"))
    assert [(each["file"], each["line"]) for each in found["findings"]] == [("maps/two.xml", 1)]
    assert found["url_count"] == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (urlset("a")[:-9], "not well-formed"),
        (index(f"{BASE}other/none.xml"), "the file cannot be read"),
        ('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>', "list no URL"),
    ],
)
def test_a_sitemap_that_cannot_be_read_does_not_pass(invoke: Invoke, text: str, message: str) -> None:
    Path("a.xml").write_text(text)
    result = invoke("check-live", "a.xml", "--max-minutes", "0")
    assert (result.exit_code, message in result.stderr) == (3, True)


def test_a_server_that_misbehaves_in_every_way_has_a_finding_for_each(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    def endless(send: Send) -> None:
        send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<meta name=robots content=noindex>")
        for _ in count():
            send(b"x" * 65_536)

    bomb = gzip.compress(b"<link rel=canonical href=/other>" + bytes(20_000_000))
    server.answers |= {
        "/hang": lambda send: NEVER.wait(2),
        "/closed": b"",
        "/other-protocol": b"220 ready\r\n",
        "/endless": endless,
        "/loop": answer(status=302, Location="/loop"),
        "/private": answer(status=301, Location="http://10.0.0.1/"),
        "/short": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\nshort",
        "/bomb": answer(bomb, Content_Type="text/html", Content_Encoding="gzip"),
        "/moved": answer(status=301, Location="/a"),
        "/broken": answer(status=500),
    }
    paths = [path.removeprefix("/") for path in server.answers if path.count("/") == 1 and " " not in path]
    url, options = sitemap(server, *paths), (None, 1_000, 4, True, None, None, 0)
    free, guarded = HttpSender(EVERY_HOST, timeouts=Timeouts(idle=0.5, total=1.5)), HttpSender(NO_PRIVATE_HOST)

    def send(request: LiveRequest) -> Reply:
        return free(request) if request.url.startswith(server.url) else guarded(request)

    assert LiveRun(TargetOpener(private=EVERY_HOST), send, SYSTEM_CLOCK, *options)([url], as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert {each["loc"].removeprefix(server.url): each["code"] for each in found["findings"]} == {
        "/hang": "live-unreachable",
        "/closed": "live-unreachable",
        "/other-protocol": "live-unreachable",
        "/endless": "live-noindex",
        "/loop": "live-redirect-loop",
        "/private": "live-redirect-broken",
        "/short": "live-incomplete",
        "/bomb": "live-canonical-missing",
        "/moved": "live-redirect",
        "/broken": "live-server-error",
    }
    assert found["asked_count"] == found["url_count"] == 12


def run(site: FakeSite, resume: Path | None = None) -> bool:
    """Run the command over a sitemap in this folder and a server in memory, in which no time passes."""
    Path("a.xml").write_text(urlset("a", "b"))
    options = (None, 5, 1, False, resume, None, 5)
    return LiveRun(TargetOpener(), site, VirtualClock(), *options)(["a.xml"], as_json=False)


def test_a_busy_host_is_given_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter([reply(429, Retry_After="100"), reply()])
    site = FakeSite({f"{BASE}a": lambda request: next(answers), f"{BASE}b": reply()})
    assert (run(site), sum(BASE + "there" not in line for line in site.lines)) == (False, 3)
    site = FakeSite({f"{BASE}a": reply(429, Retry_After="9999"), f"{BASE}b": reply(429, Retry_After="9999")})
    with pytest.raises(SourceError, match="2 URLs of 2 not asked"):
        run(site)
    assert "its host asks for a pause of over two minutes" in capsys.readouterr().err


def test_an_interruption_says_how_to_continue(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(request: LiveRequest) -> Reply:
        raise KeyboardInterrupt(request.url)

    site = FakeSite({f"{BASE}a": interrupt, f"{BASE}b": interrupt})
    with pytest.raises(KeyboardInterrupt):
        run(site, Path("run"))
    assert "the answers so far are in run; the same command continues" in capsys.readouterr().err


def test_a_file_that_is_not_of_this_command_is_not_overwritten() -> None:
    Path("run").write_text("mine" * 1_000)
    with pytest.raises(StoreError, match="run cannot be used to resume"):
        run(FakeSite(), Path("run"))
    assert Path("run").read_text() == "mine" * 1_000


def test_a_sitemap_that_robots_txt_keeps_from_google_is_an_error(server: Server, invoke: Invoke) -> None:
    server.answers["/robots.txt"] = answer("User-agent: *\nDisallow: /*.xml$\n")
    result = invoke("check-live", sitemap(server, "a"), *FAST, "--json")
    assert (result.exit_code, answered(result)["count_by_code"]) == (1, {"live-sitemap-disallowed": 1})


SITE = "https://www.example.org"


def found(redirects: int) -> FindingReport:
    report = FindingReport(2, LIVE_RULES)
    for n in range(redirects):
        report.add("live-redirect", "a.xml", n, f"{SITE}/{n}", statuses="301", to=f"{SITE}/new/{n}")
    report.add("live-missing", "a.xml", 7, f"{SITE}/gone\x1b", status="404 Not Found")
    return report


def test_many_findings_are_one_group_with_examples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    totals = Totals(listed=20_000, chosen=12_000, asked=11_900, unasked_by_reason=Counter({"no time": 100}))
    print_findings(found(10_000), totals, 2, reads_pages=True)
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "error live-missing: 1 URL; remove the URL, or publish the page",
        f"  {SITE}/gone\\x1b: the server answers 404 Not Found",
        "error live-redirect: 10,000 URLs; list the page that the URL redirects to",
        f"  {SITE}/0: redirects (301) to {SITE}/new/0",
        f"  {SITE}/1: redirects (301) to {SITE}/new/1",
        "  and 9,998 more (--most 0 prints all)",
    ]
    assert printed.err.splitlines() == [
        "20,000 URLs listed, 11,900 asked: 10,001 errors, 0 warnings, 0 notes",
        "  not asked: 8,000 URLs outside the sample",
        "  not asked: 100 URLs, since no time",
    ]


def test_errors_are_printed_first(capsys: pytest.CaptureFixture[str]) -> None:
    report = FindingReport(2, LIVE_RULES)
    report.add("live-refused", "a.xml", 1, f"{SITE}/a", status="403 Forbidden")
    report.add("live-noindex", "a.xml", 2, f"{SITE}/b", where="the page", word="noindex")
    print_findings(report, Totals(), 2, reads_pages=True)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[::2]] == ["error", "warning"]


def test_a_workflow_gets_one_annotation_for_each_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    print_findings(found(3), Totals(), 2, reads_pages=True)
    lines = [line for line in "".join(capsys.readouterr()).splitlines() if line.startswith("::")]
    assert len(lines) == 2
    assert lines[1].startswith("::error title=Waypost%3A live-redirect::3 URLs; list the page")
    assert lines[1].endswith(", and 1 more")
    report = FindingReport(0, LIVE_RULES)
    for n in range(7):
        report.add("live-missing", "a.xml", n, f"{SITE}/{n}", status="404 Not Found")
    print_findings(report, Totals(), 0, reads_pages=True)
    printed = capsys.readouterr().out
    assert (f"{SITE}/4 (" in printed, printed.endswith(", and 2 more\n")) == (True, True)


def test_of_many_reasons_the_most_frequent_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    reasons = Counter({f"{n}.example fails": n for n in range(1, 13)})
    print_findings(FindingReport(2, LIVE_RULES), Totals(78, 78, 0, unasked_by_reason=reasons), 2, reads_pages=True)
    lines = capsys.readouterr().err.splitlines()
    assert (len(lines), lines[1]) == (12, "  not asked: 12 URLs, since 12.example fails")
    assert lines[-1] == "  not asked: 3 URLs for other reasons (--json has all)"
