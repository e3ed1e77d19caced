"""What the folder of a site is: refuses folders that a generator must build first, and says what was recognised."""

import os
from pathlib import Path

from waypost.core import tree_files
from waypost.core.errors import SourceError
from waypost.core.finding_types import site_warning
from waypost.core.model import Example, SiteWarning, SourceKind
from waypost.project.source_kind import PROJECT_FOLDERS, recognize

_NAMES = {
    "static": "a site as it is",
    "jekyll": "the source of a site that the project builds with Jekyll",
    "github-pages": "the source of a site that GitHub Pages builds with Jekyll",
}


def require_built(kind: SourceKind, source: Path, working_folder: Path) -> None:
    """Raise SourceError if a folder is the source of a site that another generator than Jekyll builds."""
    if kind.kind == "generator":
        raise SourceError(
            build_first(kind, shown_path(source, working_folder), shown_path(source / kind.output, working_folder))
        )


def source_below(source: Path, kind: SourceKind) -> list[SiteWarning]:
    """The warning that a folder, which was not recognised itself, contains the source of a site."""
    if kind.kind != "static" or kind.file:
        return []
    below = (
        (name, recognize(source / name)) for name in PROJECT_FOLDERS if tree_files.is_folder(source / name, source)
    )
    examples = tuple(Example(f"{name}/", source_text(found)) for name, found in below if found.kind != "static")
    return [site_warning("source-below", examples)] if examples else []


def source_text(kind: SourceKind) -> str:
    """What a folder is, and why, in a line."""
    name = _NAMES.get(kind.kind, f"the source of a site that {kind.generator or 'the project'} builds")
    evidence = evidence_text(kind)
    return f"{name} ({evidence})" if evidence else name


def evidence_text(kind: SourceKind) -> str:
    """What showed what a folder is: a file and the reason, or the reason alone."""
    return f"{kind.file}: {kind.reason}" if kind.file else kind.reason


def build_first(kind: SourceKind, source: str, output: str) -> str:
    """The message about a folder whose site must be built before it can be listed."""
    place = "" if source == "." else f" in {source}"
    if not kind.generator:
        return _build_declared_first(kind, place, output)
    exists = "; the folder exists already" if kind.output_exists else ""
    return "\n  ".join(
        [
            f"{source} is the source of a site that {kind.generator} builds, so nothing was written "
            f"({kind.file}: {kind.reason})",
            f"build the site first: `{kind.command}`{place}",
            f"then run Waypost over the built site: `waypost build {output}`, in a workflow `source: {output}`{exists}",
            f'if the files of {source} are published as they are: set source_kind = "static"',
        ]
    )


def _build_declared_first(kind: SourceKind, place: str, output: str) -> str:
    """The message about a folder that a file says is published, and that has no file yet."""
    command = f": `{kind.command}`{place}" if kind.command else place
    state = "has no file" if kind.output_exists else "does not exist"
    return "\n  ".join(
        [
            f"{kind.file} publishes {output}, which {state}, so nothing was written",
            f"build the site first{command}",
            f"then run Waypost over the built site: `waypost build {output}`, in a workflow `source: {output}`",
            "if another folder is published, name it: `waypost build FOLDER`, in a workflow `source: FOLDER`",
        ]
    )


def shown_path(path: Path, working_folder: Path) -> str:
    """A path as the user would type it."""
    absolute = Path(os.path.normpath(working_folder.absolute() / path))
    folder = working_folder.absolute()
    return absolute.relative_to(folder).as_posix() if absolute.is_relative_to(folder) else str(absolute)
