"""The dates of sites that generators built, against what the markers in their sources say."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import quick
from date_truth import is_list, words
from generator_dates import (
    compared,
    made_of,
    make_site,
    of_shared_files,
    page_texts,
)
from generator_fixtures import BASE_URLS

Log = Callable[[Path], dict[str, int]]


@pytest.fixture
def repository_log() -> Log:
    """The commit time of each tracked file of a repository that is not changed."""

    def read(folder: Path) -> dict[str, int]:
        command = ["git", "-c", "core.quotePath=false", "log", "--format=%x00%ct", "--name-only"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        commits = (commit.split("\n", 1) for commit in done.stdout.split("\0")[1:])
        status = subprocess.run(
            ["git", "status", "--porcelain"], cwd=folder, capture_output=True, text=True, check=True
        )
        assert not status.stdout
        return {path.strip(): int(when) for when, path in commits}

    return read


def test_a_page_that_quotes_other_pages_is_not_made_of_their_files() -> None:
    sources = {"a.md": "marker-a", "b.md": "marker-b", "index.md": "marker-home"}
    pages = {
        "a.html": "marker-a",
        "b.html": "marker-b",
        "index.html": "marker-home marker-a marker-b",
        "blog.html": "marker-a marker-b",
    }
    assert made_of(pages, sources) == {
        "a.html": ["a.md"],
        "b.html": ["b.md"],
        "index.html": ["index.md"],
        "blog.html": [],
    }


@pytest.mark.parametrize(
    "key", ["tags/iron/index.html", "category/water.html", "author/ada2.html", "blog/page/2/index.html", "index-1.html"]
)
def test_a_list_has_no_source_though_it_quotes_one_file_alone(key: str) -> None:
    assert made_of({key: "marker-a", "a.html": "marker-a"}, {"a.md": "marker-a"})[key] == []


def test_a_page_with_such_a_path_is_no_list() -> None:
    keys = ["index.html", "1.0/index.html", "2026/03/emma/index.html", "404.html", "en/tagging.html", "v2.html"]
    assert list(filter(is_list, keys)) == []


def test_a_page_is_made_of_the_texts_that_it_includes_too() -> None:
    sources = {"a.md": "marker-a", "code.py": "included-code", "b.md": "marker-b"}
    pages = {"a.html": "marker-a included-code", "source.html": "included-code", "b.html": "marker-b"}
    assert made_of(pages, sources) == {"a.html": ["a.md", "code.py"], "source.html": ["code.py"], "b.html": ["b.md"]}


def test_a_file_with_the_texts_of_several_pages_is_shared_and_one_with_a_translation_is_not() -> None:
    sources = {"texts.js": "marker-a marker-b", "c.md": "marker-c"}
    pages = {"a.html": "marker-a", "b.html": "marker-b", "c.html": "marker-c", "de/c.html": "marker-c"}
    assert of_shared_files(pages, sources) == ["a.html", "b.html"]
    assert made_of(pages, sources)["a.html"] == ["texts.js"]
    assert made_of(pages, sources)["de/c.html"] == ["c.md"]


@pytest.mark.parametrize("name", quick.every(8, sorted(BASE_URLS)))
def test_a_marker_is_in_one_source_alone_and_most_sources_have_a_page(name: str, tmp_path: Path) -> None:
    made = make_site(name, tmp_path)
    found = [word for text in made.texts.values() for word in words(text)]
    assert len(found) == len(set(found))
    used = {path for files in made_of(page_texts(made), made.texts).values() for path in files}
    assert len(used) > len(made.texts) / 2


def test_every_tracked_file_has_a_commit_of_its_own_and_the_built_site_none(
    repository_log: Log, tmp_path: Path
) -> None:
    made = make_site("hugo", tmp_path, below="docs")
    assert repository_log(made.folder) == made.times
    assert "docs/content/visit/tickets.md" in made.times
    assert (made.folder / "docs/public/index.html").exists()


def test_withheld_sources_are_about_half_of_those_with_a_marker(repository_log: Log, tmp_path: Path) -> None:
    made = make_site("hugo", tmp_path, is_withheld=True)
    assert repository_log(made.folder).keys() == made.times.keys() - made.withheld
    assert made.withheld < made.texts.keys()
    assert 0.25 < len(made.withheld) / len(made.texts) < 0.75
    assert "hugo.toml" not in made.withheld


# With nothing configured


def verdicts(names: Iterable[str], folder: Path, *, is_withheld: bool = False) -> tuple[Counter[str], list[str]]:
    """How many pages have a kind and a verdict, such as `one right`, and which pages have a wrong date."""
    counts: Counter[str] = Counter()
    wrong = []
    for name in names:
        (folder / name).mkdir()
        for page in compared(name, folder / name, is_withheld=is_withheld):
            counts[f"{page.kind} {page.verdict}"] += 1
            wrong += [f"{name}: {page.key}"] if page.verdict == "wrong" else []
    return counts, wrong


@pytest.mark.slow
def test_with_nothing_configured_nearly_all_pages_have_the_dates_of_their_sources_and_none_another_date(
    tmp_path: Path,
) -> None:
    counts, wrong = verdicts(sorted(BASE_URLS), tmp_path)
    assert wrong == []
    of_one_source = sum(counts[f"one {verdict}"] for verdict in ("right", "none", "wrong"))
    assert of_one_source >= 200
    assert counts["one right"] >= 0.97 * of_one_source


@pytest.mark.slow
def test_of_pages_whose_sources_are_withheld_hardly_any_has_a_date(tmp_path: Path) -> None:
    counts, wrong = verdicts(sorted(BASE_URLS), tmp_path, is_withheld=True)
    assert counts["withheld right"] > 100
    assert len(wrong) <= 1
    assert counts["one wrong"] == counts["several wrong"] == counts["list wrong"] == 0
