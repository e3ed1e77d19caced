"""`waypost recognise`: what Waypost sees in a project, and what showed it."""

from pathlib import Path

import click

from waypost.build import named_places
from waypost.build.answers import row
from waypost.cli.options import LocalPath, json_option
from waypost.cli.output import errors, print_answer
from waypost.core.inert_text import inert
from waypost.git import Repositories
from waypost.project import recognition
from waypost.settings import load
from waypost.settings.schema import Site


@click.command()
@click.argument("folder", type=LocalPath(file_okay=False, exists=True), default=".")
@json_option
def recognise(folder: Path, *, as_json: bool) -> None:
    """Print what is recognised of the project in FOLDER, a line for each part with what showed it.

    The parts are the folder of its site, the generator and its command, the base URL, the host, and the versions and
    languages of the site. Nothing is written.
    """
    with errors():
        parts = list(recognition.recognise(folder, _settings(folder), Repositories(folder)))
        lines = (inert(row(each.name, f"{each.value} ({each.evidence})")) for each in parts)
        print_answer(parts, lines, as_json=as_json)


def _settings(folder: Path) -> Site | None:
    """The settings in the folder, if they name the base URL; raises ConfigurationError."""
    found = named_places.read(None, folder, folder)
    if found is None or "base_url" not in found[0].values:
        return None
    return load.check_settings([found[0]])
