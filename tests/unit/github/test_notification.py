"""The Action's step after the deployment, which sends what an earlier step has kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from search_engine import KEY, SearchEngine

from waypost.github.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sites import Write


pytestmark = pytest.mark.usefixtures("without_proxies")


@pytest.fixture
def run(tmp_path: Path, engine: SearchEngine) -> Callable[..., int]:
    """Run the Action in this process; keywords are its inputs."""

    def run(**given: str) -> int:
        toml = f'lastmod = "none"\nindexnow = {{ key = "{KEY}", engine = "{engine.url}/indexnow" }}'
        inputs = {"source": "site", "settings": toml, **given}
        return main({"WAYPOST_INPUTS": json.dumps(inputs), "GITHUB_WORKSPACE": str(tmp_path)})

    return run


def publish(write: Write, run: Callable[..., int], engine: SearchEngine, *names: str, **inputs: str) -> None:
    write({f"{name}.html": f"<title>{name}</title>" for name in names})
    assert run(**{"base-url": engine.site, **inputs}) == 0


def test_a_later_step_sends_what_the_first_one_has_kept(
    write: Write, run: Callable[..., int], engine: SearchEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(write, run, engine, "a")
    publish(write, run, engine, "a", "b", changes="changes.json")
    assert engine.submitted == []
    capsys.readouterr()
    assert run(notify="changes.json") == 0
    assert engine.submitted == [[f"{engine.site}b.html"]]
    assert capsys.readouterr().out == "indexnow: sent 1 URL\n"


def test_without_a_file_for_the_changes_a_warning_says_that_nobody_was_notified(
    write: Write, run: Callable[..., int], engine: SearchEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(write, run, engine, "a")
    assert "nobody was notified, because the site is not deployed yet; set `changes`" in capsys.readouterr().out
    publish(write, run, engine, "a")
    assert "nobody was notified" not in capsys.readouterr().out
    assert engine.submitted == []


def test_a_refusal_is_an_error_of_the_step(
    write: Write, run: Callable[..., int], engine: SearchEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(write, run, engine, "a")
    publish(write, run, engine, "a", "b", changes="changes.json")
    engine.key_file = None
    assert run(notify="changes.json") == 7
    out = capsys.readouterr().out
    assert "::error title=Waypost%3A not-announced::" in out or "::error title=Waypost: not-announced::" in out
    assert f"publish a file {KEY}.txt" in out


@pytest.mark.parametrize(
    ("inputs", "code", "message"),
    [({"notify": "none.json"}, 7, "cannot be read"), ({"notify": "changes.json", "settings": ""}, 2, "is not set")],
)
def test_a_step_that_can_send_nothing_says_why(
    write: Write,
    run: Callable[..., int],
    engine: SearchEngine,
    capsys: pytest.CaptureFixture[str],
    inputs: dict[str, str],
    code: int,
    message: str,
) -> None:
    publish(write, run, engine, "a", changes="changes.json")
    assert run(**inputs) == code
    assert message in capsys.readouterr().out
