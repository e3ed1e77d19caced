"""Projects of site generators for tests of presets, and the files from which a preset says that a page is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from waypost.config.generator_presets import SourceMapping
from waypost.rules.source_mapping import SourceMapper
from waypost.sources.project_folder import ProjectFolder

Preset = Callable[[ProjectFolder], tuple[SourceMapping, ...]]


def project(folder: Path, files: Mapping[str, str]) -> ProjectFolder:
    """A folder with these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return ProjectFolder(folder)


def sources(preset: Preset, folder: ProjectFolder, page: str, *tracked: str) -> list[str]:
    """The files, of those that are tracked, from which a preset says that a page is made."""
    return list(SourceMapper(preset(folder)).files(page, sorted(tracked)))
