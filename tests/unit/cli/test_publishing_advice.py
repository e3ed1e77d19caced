"""What is said of a site that is published already."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from publishing import found_in
from source_folders import PAGE

from waypost.cli.publishing_advice import advice, edited, publication_of
from waypost.cli.workflow import WorkflowRepository
from waypost.project import find_sites
from waypost.project.publication import Publication, Step
from waypost.project.publishers import ACTIONS, COMMANDS

if TYPE_CHECKING:
    from sites import Write

OWN = ".github/workflows/sitemap.yml"
STEP = Step("a", 1, "x", "whole")


@pytest.mark.parametrize(
    ("found", "chosen"),
    [
        ([Publication("a", folders=("other",)), Publication("b", folders=("out",))], "b"),
        ([Publication("a", folders=("other",)), Publication("b")], "b"),
        ([Publication("a", folders=(".",), step=STEP)], "a"),
        ([Publication("a", folders=("other",))], None),
        ([Publication(OWN, folders=("out",))], None),
        ([Publication("a", folders=("out",), is_deployed=False)], None),
        ([Publication("a", copies=True)], None),
        ([Publication("a", folders=("out",), copies=True)], "a"),
        ([Publication("a", "firebase", ("out",)), Publication("b", "firebase", step=STEP)], "b"),
        ([Publication("a", "firebase", ("out",)), Publication("b", "vercel", step=STEP)], "a"),
    ],
    ids=[
        *("its folder", "unknown", "the whole", "another", "own", "an upload", "copies", "copies of it"),
        *("a workflow that deploys it", "a workflow for another host"),
    ],
)
def test_what_publishes_the_folder_of_the_site_counts(found: list[Publication], chosen: str | None) -> None:
    publication = publication_of("out", found, OWN)
    assert (publication.file if publication else None) == chosen


@pytest.mark.parametrize("name", [*ACTIONS, *COMMANDS])
def test_each_way_to_publish_has_advice_that_names_it_and_the_site(write: Write, name: str) -> None:
    root = write({"mkdocs.yml": "site_name: a", "site/index.html": PAGE})
    row = ACTIONS.get(name) or COMMANDS[name]
    publication = Publication("a.yml", row.host, ("site",), (), name, builds=row.builds, step=STEP)
    repository = WorkflowRepository(root, "main", root)
    text = "\n".join(advice(find_sites(root)[0], publication, repository))
    assert text.startswith("a.yml publishes the site already")
    assert (
        "`plugins: [search, waypost]`" in text
        if row.builds and row.host not in ("vercel", "netlify")
        else "site" in text
    )


def test_a_workflow_that_cannot_be_edited_is_left_as_it_is(write: Write) -> None:
    text = "jobs: {a: {steps: [{uses: actions/checkout@v7}, {run: ghp-import -p site}]}}"
    root = write({"mkdocs.yml": "site_name: a", ".github/workflows/a.yml": text})
    (publication,) = found_in(root)
    assert edited(find_sites(root)[0], publication, WorkflowRepository(root, "main", root)) is None
    assert Path(root, ".github/workflows/a.yml").read_text() == text
