"""The documentation, compared with the code that it describes."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "benchmarks" / "README.md",
        ROOT / "infra" / "terraform" / "README.md",
    ]
)
PLAIN = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "action",
    "action.yml",
    "docs",
    "examples",
    "infra",
    "Makefile",
    "pyproject.toml",
    "src",
    "lambda",
    "templates",
)
"""The files and folders that are written in plain terms throughout."""
UNCLEAR = re.compile(
    r"\b(?:felt out|nobody's|what stands over|the room|(?:is|are) told of|stands|wakes|sees to|"
    r"as far as events have told|house)\b",
    re.IGNORECASE,
)
GENERATED = re.compile(r"<!-- (\w+) -->.*?<!-- /\1 -->", re.DOTALL)
"""A table that is made from the code, where its words are."""
CODE = re.compile(r"^```.*?^```|``.*?``|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)")


def test_the_generated_tables_and_inputs_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "docs" / "generate.py"), "--check"], check=False)
    assert done.returncode == 0, "run `python docs/generate.py`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    broken = [link for link in links(page) if not is_found(page, link)]
    assert broken == []


def test_a_link_to_a_file_or_heading_that_does_not_exist_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Two words\n\n[a](#two-words) [b](#three) [c](other.md) [d](page.md#two-words) `[e](no.md)`\n")
    assert [link for link in links(page) if not is_found(page, link)] == ["#three", "other.md"]


def test_the_tests_that_show_what_is_trusted_exist() -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8")))
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 20
    assert named - set(re.findall(r"^def (test_\w+)", tests, re.MULTILINE)) == set()


def test_no_phrase_has_to_be_read_twice() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {phrase}"
        for path in texts()
        for phrase in UNCLEAR.findall(GENERATED.sub("", path.read_text(encoding="utf-8")))
    ]
    assert found == []


def texts() -> Iterator[Path]:
    """The text files of `PLAIN`."""
    endings = {".md", ".py", ".toml", ".yml", ".yaml", ".json", ".j2", ".html", ".sh"}
    for name in PLAIN:
        place = ROOT / name
        if place.is_file():
            yield place
        yield from (path for path in place.rglob("*") if path.is_file() and path.suffix in endings)


def links(page: Path) -> Iterator[str]:
    """The targets of a page's links and pictures, but for targets on other sites."""
    found = LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
    return (link for link in found if not link.startswith(("https:", "http:")))


def is_found(page: Path, link: str) -> bool:
    """Whether a link's file exists and, if it names a heading, has that."""
    name, _, anchor = link.partition("#")
    target = page.parent / unquote(name) if name else page
    return target.exists() and (not anchor or anchor in anchors(target))


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to a page's headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+?)\s*$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_oldest_boto3_that_is_tested_is_the_oldest_that_may_be_installed() -> None:
    tested = re.search(
        r"^OLDEST_BOTO3 := (\d+\.\d+)\.0$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert tested
    assert f'aws = ["boto3>={tested[1]}",' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
