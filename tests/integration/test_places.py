"""Every setting, flag and input that names a place, each in twenty spellings: nothing outside is read or written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import quick
from click.testing import CliRunner, Result
from servers import answer, serving

from waypost.cli.main import main
from waypost.github.main import main as act

if TYPE_CHECKING:
    from repositories import Repository

pytestmark = pytest.mark.skipif(os.name == "nt", reason="it needs links")
MARK = "c2VjcmV0"
BASE = "https://example.org/"
PAGE = "<!doctype html><html><head><title>Page</title></head><body>Some text.</body></html>"
SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    f"<url><loc>{BASE}{MARK}</loc><lastmod>2020-01-01</lastmod></url></urlset>"
)
OUTSIDE = {"a": f"{BASE}{MARK}\n", "a.xml": SITEMAP, "t/sitemap.xml.j2": f"{{{{ {MARK} }}}}"}
"""What lies beside the repository, in place of what a setting names: a list, a sitemap, templates."""
SPELLINGS = [
    *("../{0}", "{1}", "x://../../{0}", "x:/../../{0}", "http:/../../{0}", "HTTP:../../{0}", "site/../../{0}"),
    *("file://{1}", "s3://../../{0}", "S3://bucket/../../{0}", "HTTPS://../../{0}", "//{1}", "./x://../../{0}"),
    *("link/{0}", "x:/link/{0}", "x://link/{0}", "site/link/{0}", ".git/{0}", ".GIT/{0}", "git/{0}", "x:/git/{0}"),
    *("~/{0}", "gs://../../{0}", "http\u017f://../../{0}"),
]
SETTINGS: dict[str, tuple[str, str]] = {
    "urls": ("urls = {}", "a"),
    "sitemaps": ("sitemaps = [{}]", "a.xml"),
    "sitemaps.from": ("sitemaps = [{{from = {}, optional = true}}]", "a.xml"),
    "sitemaps.child": ('sitemaps = [{{from = {}, as = "child"}}]', "a.xml"),
    "compare": ("compare = {}", "a.xml"),
    "templates": ("templates = {}", "t"),
    "state": ('state = {}\nlastmod = "content"', "state.jsonl"),
    "source_repository": ("source_repository = {}", "elsewhere"),
}


@pytest.fixture
def project(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with folders `x:` and `http:`, and links out of it and into its `.git`."""
    folder = repository.folder
    repository.commit({"site/index.html": PAGE, "x:/a": "", "http:/a": "", "HTTP:/a": ""}, 1_700_000_000)
    for where in (tmp_path, folder / ".git"):
        for name, content in OUTSIDE.items():
            (where / name).parent.mkdir(exist_ok=True)
            (where / name).write_text(content)
    for name in ("link", "x:/link", "site/link"):
        (folder / name).symlink_to(tmp_path)
    for name in ("git", "x:/git"):
        (folder / name).symlink_to(folder / ".git")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.chdir(folder)
    return folder


def waypost(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def everything(folder: Path) -> dict[str, bytes]:
    """All files in a folder and below, but not below links, and without Git's own."""
    found: dict[str, bytes] = {}
    for at, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        paths = [os.path.join(at, name) for name in names]
        found |= {os.path.relpath(path, folder): Path(path).read_bytes() for path in paths if not os.path.islink(path)}
    return found


@pytest.mark.parametrize("spelling", quick.every(8, SPELLINGS))
@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_in_a_file_reads_or_writes_what_is_outside_of_its_repository(
    project: Path, tmp_path: Path, setting: str, spelling: str
) -> None:
    text, name = SETTINGS[setting]
    place = spelling.format(name, tmp_path / name)
    (project / "waypost.toml").write_text(f"base_url = {BASE!r}\n{text.format(repr(place))}\n")
    before = {name: body for name, body in everything(tmp_path).items() if not name.startswith(project.name)}
    for command in ("build site --dry-run", "build site", "audit site", "explain index.html"):
        done = waypost(*command.split())
        assert done.exit_code < 8, done.output
        assert MARK not in done.output
        if setting == "source_repository" and command != "audit site" and leads_out(project, place):
            assert done.exit_code == 2
    after = everything(tmp_path)
    assert {name: body for name, body in after.items() if not name.startswith(project.name)} == before
    assert [name for name, body in after.items() if name.startswith(project.name) and MARK.encode() in body] == []


def leads_out(project: Path, place: str) -> bool:
    real = os.path.realpath(project / place)
    return not real.startswith(f"{os.path.realpath(project)}/") or ".git/" in real.lower()


FLAGS: dict[str, tuple[str, ...]] = {
    "build SOURCE": ("build", "{}", "--base-url", BASE),
    "build --config": ("build", "site", "--config", "{}"),
    "build --output": ("build", "site", "--base-url", BASE, "--output", "{}"),
    "build --state": ("build", "site", "--base-url", BASE, "--state", "{}"),
    "build --changes": ("build", "site", "--base-url", BASE, "--changes", "{}"),
    "report --to": ("report", "site", "--base-url", BASE, "--to", "{}"),
    "report --live": ("report", "site", "--base-url", BASE, "--live", "{}"),
    "report --submitted": ("report", "site", "--base-url", BASE, "--submitted", "{}"),
    "audit SOURCE": ("audit", "{}", "--base-url", BASE),
    "audit --baseline": ("audit", "site", "--base-url", BASE, "--baseline", "{}"),
    "audit --sarif": ("audit", "site", "--base-url", BASE, "--sarif", "{}"),
    "audit --external-answers": ("audit", "site", "--base-url", BASE, "--external", "--external-answers", "{}"),
    "check-live TARGET": ("check-live", "{}"),
    "check-live --resume": ("check-live", "site/none.xml", "--resume", "{}"),
    "validate TARGET": ("validate", "{}"),
    "validate --against": ("validate", "site/none.xml", "--against", "{}"),
    "diff OLD": ("diff", "{}", "site/none.xml"),
    "merge SITEMAP": ("merge", "{}", "--base-url", BASE, "--dry-run"),
    "merge --output": ("merge", "site/none.xml", "--base-url", BASE, "--output", "{}"),
    "date SITEMAP": ("date", "{}", "--base-url", BASE),
    "date --source": ("date", "site/none.xml", "--source", "{}"),
    "date --output": ("date", "site/none.xml", "--output", "{}"),
    "notify --changes": ("notify", "site", "--changes", "{}", "--base-url", BASE),
    "notify --from": ("notify", "site", "--from", "{}", "--to", "site/none.xml"),
    "explain SOURCE": ("explain", "{}", "index.html"),
    "init FOLDER": ("init", "{}"),
    "recognise FOLDER": ("recognise", "{}"),
    "status SOURCE": ("status", "{}", "--base-url", BASE),
    "update SOURCE": ("update", "{}", "a.html", "--base-url", BASE),
}
URLS = ("http://127.0.0.1:{}/a", "HTTP://127.0.0.1:{}/a", "hTtP://127.0.0.1:{}/a", "s3://bucket/a", "S3://bucket/a")


@pytest.mark.parametrize("flag", FLAGS)
def test_a_url_in_any_case_is_never_a_path_and_a_private_host_is_not_asked(project: Path, flag: str) -> None:
    before = everything(project).keys() | {"waypost.toml", ".github/workflows/sitemap.yml"}
    with serving({"/a": answer(SITEMAP.encode())}) as server:
        for url in URLS:
            arguments = [each.format(url.format(server.port)) for each in FLAGS[flag]]
            done = waypost(*arguments)
            assert 0 < done.exit_code < 8, (arguments, done.output)
            assert "No such file" not in done.output
    assert server.asked == []
    assert everything(project).keys() <= before


@pytest.mark.parametrize("spelling", quick.every(12, SPELLINGS))
@pytest.mark.parametrize("flag", FLAGS)
def test_every_spelling_of_a_flag_ends_with_an_answer_or_a_message(
    project: Path, tmp_path: Path, flag: str, spelling: str
) -> None:
    arguments = [each.format(spelling.format("new/a", tmp_path / "new" / "a")) for each in FLAGS[flag]]
    assert waypost(*arguments).exit_code < 8
    assert not {"http:", "HTTP:", "HTTPS:", "s3:", "S3:"} & {each.name for each in project.iterdir()} - {
        "http:",
        "HTTP:",
    }


@pytest.mark.parametrize("setting", ["compare", "sitemaps", "sitemaps.from", "sitemaps.child", "indexnow"])
def test_a_settings_file_cannot_vouch_for_a_host_of_a_private_network_and_a_flag_can(
    project: Path, setting: str
) -> None:
    with serving({}) as server:
        base, url = f"{server.url}/", f"{server.url}/a.xml"
        server.answers["/a.xml"] = answer(SITEMAP.replace(BASE, base).encode())
        text = SETTINGS[setting][0] if setting in SETTINGS else 'indexnow = {{key = "a1b2c3d4e5f60718", engine = {}}}'
        (project / "waypost.toml").write_text(f"base_url = {base!r}\n{text.format(repr(url))}\n")
        waypost("build", "site")
        assert server.asked == []
        (project / "site" / "other.html").write_text(PAGE.replace("Some", "Other"))
        waypost("build", "site", "--base-url", base)
        assert server.asked != []


INPUTS = ("source", "repository", "output", "config", "changes", "report", "notify", "date")


def step(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inputs: dict[str, Any]) -> int:
    for name, value in {
        "WAYPOST_INPUTS": json.dumps({"base-url": BASE, "source": "site", **inputs}),
        "GITHUB_WORKSPACE": str(project),
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }.items():
        monkeypatch.setenv(name, value)
    return act(os.environ)


@pytest.mark.parametrize("spelling", quick.every(6, [*SPELLINGS, *(url.format(1) for url in URLS), "a\0b"]))
@pytest.mark.parametrize("name", INPUTS)
def test_an_input_names_a_path_and_no_link_leads_it_out_of_the_workspace(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    spelling: str,
) -> None:
    target = "a.xml" if name == "date" else "a"
    place = spelling.format(target, tmp_path / target)
    code = step(project, tmp_path, monkeypatch, {name: place})
    printed = capsys.readouterr()
    assert code < 8, printed
    if any(each in spelling for each in ("link/", "git/", "GIT/")):
        assert MARK not in printed.out + printed.err
        assert code
    assert not {"https:", "s3:", "S3:"} & {each.name for each in project.iterdir()}
