"""`waypost validate` as people run it: every kind of target, indexes, scopes, output, exits, and beside a site."""

from __future__ import annotations

import gzip
import json
import os
import pty
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from servers import Send, Server, answer, serving

if TYPE_CHECKING:
    from buckets import MadeBucket
    from sites import Command, Write

BASE = "https://www.example.org/"
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_MOST_MEGABYTES = 150


def urlset(*locs: str, base: str = BASE) -> str:
    entries = "".join(f"<url><loc>{loc if '://' in loc else base + loc}</loc></url>\n" for loc in locs)
    return f"<urlset {NAMESPACE}>\n{entries}</urlset>\n"


def index(*locs: str, base: str = BASE) -> str:
    entries = "".join(f"<sitemap><loc>{loc if '://' in loc else base + loc}</loc></sitemap>\n" for loc in locs)
    return f"<sitemapindex {NAMESPACE}>\n{entries}</sitemapindex>\n"


RIGHT = urlset("", "about.html")
WRONG = urlset("a b.html", "a b.html")
"""Lists a URL with an error in lines 2 and 3, twice."""


@pytest.fixture
def server() -> Iterator[Server]:
    with serving({}) as running:
        yield running


def found(done: subprocess.CompletedProcess[str]) -> list[tuple[str, str, int]]:
    """Of each finding in JSON its code, its file's name and its line."""
    findings = json.loads(done.stdout)["findings"]
    return [(each["code"], each["file"].rpartition("/")[2], each["line"]) for each in findings]


def names(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The files that were examined, in JSON."""
    return [each["name"] for each in json.loads(done.stdout)["files"]]


# Targets


@pytest.mark.parametrize(
    ("name", "body", "kind", "urls"),
    [
        ("sitemap.xml", RIGHT, "urlset", 2),
        ("any-name", RIGHT, "urlset", 2),
        ("sitemap.xml.gz", gzip.compress(RIGHT.encode(), mtime=0), "urlset", 2),
        ("sitemap.txt", f"{BASE}\n{BASE}a\n", "text", 2),
        ("feed.rss", f"<rss><channel><item><link>{BASE}a</link></item></channel></rss>", "rss", 1),
        (
            "feed.atom",
            f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="{BASE}a"/></entry></feed>',
            "feed",
            1,
        ),
    ],
)
def test_a_file_of_any_kind_is_read(
    write: Write, waypost: Command, name: str, body: str | bytes, kind: str, urls: int
) -> None:
    write({name: body})
    done = waypost("validate", f"site/{name}", "--json")
    assert done.returncode == 0, done.stdout
    (file,) = json.loads(done.stdout)["files"]
    assert (file["name"], file["kind"], file["entry_count"]) == (f"site/{name}", kind, urls)


def test_standard_input_is_read(waypost_process: Command) -> None:
    done = waypost_process("validate", "-", stdin=WRONG)
    assert done.returncode == 1
    assert "standard input:2: error loc-space: " in done.stdout


def test_a_bucket_is_read_like_a_folder(bucket: MadeBucket, waypost: Command) -> None:
    bucket.put({"www/sitemap.xml": index("sitemap-a.xml", "absent.xml"), "www/sitemap-a.xml": WRONG})
    done = waypost("validate", f"s3://{bucket.name}/www/", "--url", BASE, "--json")
    assert done.returncode == 1
    assert names(done) == [f"s3://{bucket.name}/www/{name}" for name in ("sitemap.xml", "sitemap-a.xml", "absent.xml")]
    assert [each[:2] for each in found(done)] == [
        ("loc-space", "sitemap-a.xml"),
        ("loc-space", "sitemap-a.xml"),
        ("duplicate", "sitemap-a.xml"),
        ("unreadable", "absent.xml"),
    ]


def test_an_object_of_a_bucket_is_read(bucket: MadeBucket, waypost: Command) -> None:
    bucket.put({"www/any.xml": RIGHT})
    done = waypost("validate", f"s3://{bucket.name}/www/any.xml", "--url", f"{BASE}maps/any.xml", "--json")
    assert [code for code, *_ in found(done)] == ["loc-above", "loc-above"]


def test_a_url_is_fetched_with_what_its_index_lists(server: Server, waypost: Command) -> None:
    base = f"{server.url}/"
    server.answers |= {
        "/sitemap.xml": answer(index("a.xml", "absent.xml", "https://cdn.example.net/b.xml", base=base)),
        "/a.xml": answer(urlset("a", base=base)),
    }
    done = waypost("validate", f"{base}sitemap.xml", "--allow-private", "--json")
    assert done.returncode == 1
    assert names(done) == [f"{base}{name}" for name in ("sitemap.xml", "a.xml", "absent.xml")]
    assert [code for code, *_ in found(done)] == ["child-elsewhere", "unreadable"]
    assert "the server answers 404 Not Found" in done.stdout
    assert server.asked == ["/sitemap.xml", "/a.xml", "/absent.xml"]


def test_a_url_of_a_private_network_is_refused_unless_it_is_allowed(server: Server, waypost: Command) -> None:
    done = waypost("validate", f"{server.url}/sitemap.xml")
    assert done.returncode == 1
    assert "--allow-private" in done.stdout
    assert server.asked == []


def test_a_url_that_redirects_is_read_and_told(server: Server, waypost: Command) -> None:
    server.answers |= {
        "/old.xml": answer(status=301, Location="/new.xml"),
        "/new.xml": answer(urlset("a", base=f"{server.url}/")),
    }
    done = waypost("validate", f"{server.url}/old.xml", "--allow-private")
    assert done.returncode == 0
    assert done.stdout.startswith(f"{server.url}/old.xml: warning moved: the file redirects to {server.url}/new.xml; ")


@pytest.mark.parametrize(
    ("target", "code", "facts"),
    [
        ("absent.xml", 3, "absent.xml does not exist"),
        ("s3://nowhere-at-all/", 3, "cannot list s3://nowhere-at-all/: NoSuchBucket"),
        ("s3://", 2, "'s3://' is not a location"),
    ],
)
@pytest.mark.usefixtures("s3")
def test_a_target_that_cannot_be_opened_costs_no_other_its_results(
    write: Write, waypost: Command, target: str, code: int, facts: str
) -> None:
    write({"a.xml": WRONG, "b.xml": RIGHT})
    done = waypost("validate", "site/a.xml", target, "site/b.xml")
    assert done.returncode == code
    assert "site/a.xml:2: error loc-space: " in done.stdout
    assert "2 files; 4 URLs" in done.stderr
    assert facts in done.stderr
    done = waypost("validate", "site/a.xml", target, "site/b.xml", "--json")
    assert done.returncode == code
    assert names(done) == ["site/a.xml", "site/b.xml"]
    (failed,) = json.loads(done.stdout)["failed"]
    assert facts in failed


def test_a_file_whose_name_is_no_utf_8_is_examined(waypost_process: Command, tmp_path: Path) -> None:
    name = os.fsdecode(b"site\xff.xml")
    (tmp_path / name).write_text(WRONG)
    assert waypost_process("validate", name).stdout.startswith("site\\xff.xml:2: error loc-space")
    assert names(waypost_process("validate", name, "--json")) == ["site\\xff.xml"]


# Indexes


@pytest.mark.parametrize(
    ("target", "flags"),
    [("site", ()), ("site", ("--url", BASE)), ("site/sitemap.xml", ("--url", f"{BASE}sitemap.xml"))],
)
def test_an_index_is_followed_to_the_files_beside_it_each_once(
    write: Write, waypost: Command, target: str, flags: tuple[str, ...]
) -> None:
    write({"sitemap.xml": index("sitemap-a.xml", "sitemap-b.xml"), "sitemap-a.xml": RIGHT, "sitemap-b.xml": WRONG})
    done = waypost("validate", target, *flags, "--json")
    assert names(done) == ["site/sitemap.xml", "site/sitemap-a.xml", "site/sitemap-b.xml"]
    assert [each[:2] for each in found(done)] == [
        ("loc-space", "sitemap-b.xml"),
        ("loc-space", "sitemap-b.xml"),
        ("duplicate", "sitemap-b.xml"),
    ]


@pytest.mark.parametrize(
    ("child", "code"),
    [
        ("https://cdn.example.net/a.xml", "child-elsewhere"),
        (f"{BASE}a.xml", "child-above"),
        (f"{BASE}maps/../../secret.xml", "loc-dots"),
        (f"{BASE}maps/a%00.xml", None),
    ],
)
def test_a_child_that_does_not_lie_below_the_index_is_not_looked_at(
    write: Write, waypost: Command, tmp_path: Path, child: str, code: str | None
) -> None:
    write({"sitemap.xml": index(child), "a.xml": WRONG})
    (tmp_path / "secret.xml").write_text(WRONG)
    done = waypost("validate", "site/sitemap.xml", "--url", f"{BASE}maps/sitemap.xml")
    assert "not checked: 1 sitemap that an index lists" in done.stderr
    assert "1 file, an index; 0 URLs" in done.stderr
    assert (f" {code}: " in done.stdout) if code else (done.stdout == "")


# Where it is published


@pytest.mark.parametrize(
    ("url", "codes"),
    [
        ("https://www.example.org:443", []),
        ("https://example.net/", ["loc-host"]),
        (f"{BASE}maps/sitemap.xml", ["loc-above"]),
    ],
)
def test_the_url_says_what_may_be_listed(write: Write, waypost: Command, url: str, codes: list[str]) -> None:
    write({"sitemap.xml": urlset("about.html")})
    done = waypost("validate", "site", "--url", url, "--json")
    assert [code for code, *_ in found(done)] == codes


# Output


def test_json_has_counts_files_and_findings(write: Write, waypost: Command) -> None:
    write({"sitemap.xml": WRONG})
    done = waypost("validate", "site/sitemap.xml", "--json", "--most", "1")
    assert (done.returncode, done.stderr) == (1, "")
    answered: dict[str, Any] = json.loads(done.stdout)
    findings = answered.pop("findings")
    assert answered == {
        "schema_version": 1,
        "error_count": 2,
        "warning_count": 1,
        "note_count": 0,
        "count_by_code": {"loc-space": 2, "duplicate": 1},
        "files": [
            {"name": "site/sitemap.xml", "loc": "", "kind": "urlset", "entry_count": 2, "bytes": len(WRONG.encode())}
        ],
        "failed": [],
    }
    first = findings[0]
    assert {key: first[key] for key in ("code", "severity", "file", "line", "loc", "message")} == {
        "code": "loc-space",
        "severity": "error",
        "file": "site/sitemap.xml",
        "line": 2,
        "loc": f"{BASE}a b.html",
        "message": "the URL contains white space",
    }
    assert [(each["code"], each["line"]) for each in findings] == [("loc-space", 2), ("duplicate", 3)]


def test_text_has_a_line_for_each_finding_and_counts_on_standard_error(write: Write, waypost: Command) -> None:
    write({"sitemap.xml": WRONG})
    done = waypost("validate", "site/sitemap.xml")
    at = f"({BASE}a b.html)"
    assert done.stdout.splitlines() == [
        f"site/sitemap.xml:2: error loc-space: the URL contains white space; write %20 for a space {at}",
        f"site/sitemap.xml:3: error loc-space: the URL contains white space; write %20 for a space {at}",
        f"site/sitemap.xml:3: warning duplicate: the URL is already listed in line 2; list it once {at}",
    ]
    assert done.stderr == "1 file; 2 URLs: 2 errors, 1 warning, 0 notes\n"


def test_on_github_findings_are_annotations(write: Write, waypost: Command) -> None:
    write({"sitemap.xml": WRONG, "index.xml": index("absent.xml")})
    done = waypost("validate", "site/sitemap.xml", "site/index.xml", GITHUB_ACTIONS="true")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == (
        "::error file=site/sitemap.xml,line=2,title=Waypost%3A loc-space::"
        f"the URL contains white space; write %2520 for a space ({BASE}a b.html)"
    )
    assert lines[2].startswith("::warning file=site/sitemap.xml,line=3,title=Waypost%3A duplicate::")
    assert lines[3].startswith("::error title=Waypost%3A unreadable::site/absent.xml: the file cannot be read: ")


def test_no_sitemap_can_speak_to_the_terminal_or_to_a_runner(waypost: Command) -> None:
    evil = urlset(f"{BASE}a\n::add-mask::x\u009b2J")
    for variables in ({}, {"GITHUB_ACTIONS": "true"}):
        done = waypost("validate", "-", stdin=evil, **variables)
        assert done.returncode == 1
        assert not any(line.startswith("::add-mask") for line in (done.stdout + done.stderr).splitlines())
    assert "\u009b" not in waypost("validate", "-", stdin=evil).stdout


def test_a_terminal_shows_which_file_is_waited_for(server: Server) -> None:
    is_shown = Event()

    def send(write: Send) -> None:
        if is_shown.wait(60):
            write(answer(urlset("a", base=f"{server.url}/")))

    server.answers |= {"/sitemap.xml": answer(index(f"{server.url}/late.xml")), "/late.xml": send}
    main, other = pty.openpty()
    command = [str(Path(sys.executable).with_name("waypost")), "validate", f"{server.url}/sitemap.xml"]
    with subprocess.Popen([*command, "--allow-private"], stdout=other, stderr=other, stdin=subprocess.DEVNULL) as run:
        os.close(other)
        shown = b""
        while b"reading late.xml" not in shown:
            shown += os.read(main, 65_536)
        is_shown.set()
        assert run.wait() == 0
    os.close(main)


def test_a_command_without_target_or_with_an_unknown_option_is_wrong(waypost: Command) -> None:
    assert waypost("validate").returncode == 2
    assert waypost("validate", "-", "--nonsense").returncode == 2


# Waypost's own


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--set", 'formats=["xml", "text"]', "--set", "gzip=true"),
        ("--set", 'groups={ docs = ["/docs/"] }', "--set", "gzip=true"),
    ],
    ids=["plain", "text", "packed index"],
)
def test_what_waypost_builds_has_no_finding(write: Write, waypost: Command, flags: tuple[str, ...]) -> None:
    write(
        {
            "index.html": "<title>Home</title>",
            "a b&c'd.html": "<title>A</title>",
            "ü/日.html": "<title>Ü</title>",
            "docs/index.html": "<title>Docs</title>",
        }
    )
    built = waypost("build", "site", "--base-url", BASE, *flags)
    assert built.returncode == 0, built.stderr
    for path in [Path("site"), *Path("site").glob("sitemap*.xml*"), *Path("site").glob("sitemap*.txt")]:
        if path.is_dir() and (path / "sitemap.txt").exists():
            continue  # it lists what sitemap.xml lists
        done = waypost("validate", str(path), "--url", BASE)
        assert (done.returncode, done.stdout) == (0, "")
    (whole,) = Path("site").glob("sitemap.xml*")
    done = waypost("validate", str(whole), "--url", BASE, "--against", "site")
    assert (done.returncode, done.stdout) == (0, "")


# Beside the site

PAGES = {
    "index.html": "<title>Home</title>",
    "about.html": "<title>About</title>",
    "hidden.html": "<meta name=robots content=noindex>",
    "moved.html": '<meta http-equiv=refresh content="0; url=/about.html">',
    "copy.html": '<link rel=canonical href="/about.html">',
    "private/a.html": "<title>Private</title>",
    "robots.txt": "User-agent: *\nDisallow: /private/\n",
    "new.html": "<title>New</title>",
}
LISTED = (
    "",
    "about",
    "hidden.html",
    "moved.html",
    "copy.html",
    "private/a.html",
    "gone.html",
    "new.html",
)
MISMATCHES = [
    ("listed-variant", 3),
    ("listed-noindex", 4),
    ("listed-redirect", 5),
    ("listed-not-canonical", 6),
    ("listed-disallowed", 7),
    ("listed-missing", 8),
]


@pytest.mark.parametrize("is_bucket", [False, True], ids=["folder", "bucket"])
def test_beside_the_site_each_mismatch_has_its_code(
    write: Write, bucket: MadeBucket, waypost: Command, tmp_path: Path, is_bucket: bool
) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset(*LISTED))
    write(PAGES)
    bucket.put({f"www/{key}": body for key, body in PAGES.items()})
    source = f"s3://{bucket.name}/www" if is_bucket else "site"
    done = waypost("validate", "sitemap.xml", "--against", source, "--base-url", BASE, "--json")
    assert done.returncode == 1, done.stderr
    assert [(code, line) for code, file, line in found(done) if file == "sitemap.xml"] == MISMATCHES
    assert [(code, file) for code, file, line in found(done) if not line] == [("unlisted", "about.html")]


@pytest.mark.parametrize(
    ("settings", "listed", "codes"),
    [
        ("", "about", ["listed-variant", "unlisted"]),
        ("drop_html = true", "about", []),
        ('exclude = ["/about.html"]', "about.html", ["listed-left-out"]),
    ],
)
def test_the_settings_of_the_site_decide(
    write: Write, waypost: Command, tmp_path: Path, settings: str, listed: str, codes: list[str]
) -> None:
    write(
        {"index.html": "x", "about.html": "x", "waypost.toml": f'base_url = "{BASE}"\nlastmod = "none"\n{settings}\n'}
    )
    (tmp_path / "sitemap.xml").write_text(urlset("", listed))
    done = waypost("validate", "sitemap.xml", "--against", "site", "--json")
    assert [code for code, *_ in found(done)] == codes, done.stderr


@pytest.mark.parametrize(
    ("flags", "base"),
    [
        ((), BASE),
        (("--url", f"{BASE}docs/"), f"{BASE}docs/"),
    ],
)
def test_without_a_base_url_it_is_the_folder_of_the_sitemaps(
    write: Write, waypost: Command, tmp_path: Path, flags: tuple[str, ...], base: str
) -> None:
    write({"index.html": "x", "about.html": "x"})
    (tmp_path / "sitemap.xml").write_text(urlset("", "about.html", base=base))
    done = waypost("validate", "sitemap.xml", "--against", "site", *flags)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("against", "flags", "code", "facts"),
    [
        ("s3://nowhere-at-all/", (), 3, "nowhere-at-all"),
        ("site", ("--base-url", "example"), 2, "--base-url"),
    ],
)
@pytest.mark.usefixtures("s3")
def test_a_site_that_cannot_be_compared_costs_no_other_results(
    write: Write, waypost: Command, against: str, flags: tuple[str, ...], code: int, facts: str
) -> None:
    write({"sitemap.xml": WRONG, "index.html": "x"})
    done = waypost("validate", "site/sitemap.xml", "--against", against, *flags)
    assert done.returncode == code
    assert "site/sitemap.xml:2: error loc-space: " in done.stdout
    assert facts in done.stderr


# Memory


def peak(*command: str) -> tuple[int, int]:
    """The exit of a command, and its peak of memory in MB."""
    meter = (
        "import resource, subprocess, sys\n"
        "code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode\n"
        "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)\n"
    )
    waypost = str(Path(sys.executable).with_name("waypost"))
    done = subprocess.run([sys.executable, "-c", meter, waypost, *command], capture_output=True, check=True)
    code, megabytes = map(int, done.stdout.split())
    return code, megabytes


@pytest.mark.parametrize(
    "count", [pytest.param(5_000, marks=pytest.mark.slow), pytest.param(50_000, marks=pytest.mark.release)]
)
def test_the_memory_of_an_index_with_many_sitemaps_is_bounded(write: Write, count: int) -> None:
    names = [f"sitemap-{n}.xml" for n in range(count)]
    site = write({"sitemap.xml": index(*names)})
    for name in names:
        (site / name).write_text(f"<urlset {NAMESPACE}><url><loc>{BASE}{name}</loc></url></urlset>")
    code, megabytes = peak("validate", "site/sitemap.xml", "--url", f"{BASE}sitemap.xml")
    shutil.rmtree(site)
    assert code == 0
    assert megabytes < _MOST_MEGABYTES


@pytest.mark.slow
@pytest.mark.parametrize("is_packed", [True, False])
def test_the_memory_of_a_file_of_50_mb_is_bounded(write: Write, is_packed: bool) -> None:
    body = urlset(*(f"{n:05}/{'a' * 960}" for n in range(49_999))).encode()
    assert 50_000_000 < len(body) < 52_428_800
    write({"sitemap.xml": gzip.compress(body, 1) if is_packed else body})
    code, megabytes = peak("validate", "site/sitemap.xml", "--url", BASE)
    assert code == 0
    assert megabytes < _MOST_MEGABYTES


# What sites really have


def test_what_is_no_text_sitemap_is_read_no_further(waypost: Command) -> None:
    done = waypost("validate", "-", stdin="y\n" * 200_000)
    assert done.returncode == 1
    assert "more than 10,000 of its lines are not URLs" in done.stdout
    assert "10,001 text-line" in done.stderr or "and 9,901 more of text-line" in done.stderr


def test_zeros_that_pad_an_archive_are_no_damage(write: Write, waypost: Command) -> None:
    write({"sitemap.xml.gz": gzip.compress(RIGHT.encode()) + b"\0" * 1_000})
    done = waypost("validate", "site/sitemap.xml.gz", "--json")
    assert (done.returncode, found(done)) == (0, [])
