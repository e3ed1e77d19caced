"""Projects that publish a site by workflows and the files of hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import RunContext
from waypost.project.publications import OF_OTHER_BRANCH, publications

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Files

    from waypost.project.publication import Publication

WORKFLOW = ".github/workflows/a.yml"
PAGES = "actions/upload-pages-artifact@v5"
STEPS = """on: push
jobs:
  a:
    steps:
      - run: make html
      - name: Deploy
        uses: {action}
        with:
          {value}
      - uses: actions/deploy-pages@v5
"""


def workflow(action: str, value: str) -> Files:
    return {WORKFLOW: STEPS.format(action=action, value=value)}


RUNS = """on: push
jobs:
  a:
    steps:
      - uses: actions/checkout@v7
      - run: {command}
"""


def found_in(folder: Path, *branches: str, host: str = "", domain: str = "") -> list[Publication]:
    """What publishes the project in a folder, of a branch, on a host's builder."""
    found = publications(ProjectFolder(folder), RunContext(branches, host, domain))
    return [each for each in found if each.rank != OF_OTHER_BRANCH]


def folders_in(folder: Path, *branches: str, host: str = "", domain: str = "") -> list[tuple[str, ...]]:
    return [each.folders for each in found_in(folder, *branches, host=host, domain=domain) if each.folders]
