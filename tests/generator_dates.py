"""Repositories of the sites that generators built, in which each source has a commit time, and what their pages are of.

It shares the code of `python benchmarks/dates.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from generator_fixtures import FIXTURES, ROOT, SITES

from waypost.rules.presets.project_preset import detected_preset
from waypost.rules.source_mapping import SourceMapper

_truth, _repositories, _outputs = map(import_module, ("date_truth", "date_repositories", "generator_outputs"))
_comparison = import_module("date_comparison")
is_list: Callable[[str], bool] = _truth.is_list
words: Callable[[str], frozenset[str]] = _truth.words
commit_times: Callable[[Mapping[str, object]], dict[str, int]] = _repositories.commit_times


def made_of(pages: Mapping[str, str], sources: Mapping[str, str]) -> dict[str, list[str]]:
    """The files that each page is made of."""
    return {key: sorted(truth.files) for key, truth in _truth.truths(pages, sources).items()}


def of_shared_files(pages: Mapping[str, str], sources: Mapping[str, str]) -> list[str]:
    """The pages whose source has the texts of other pages, too."""
    return [key for key, truth in _truth.truths(pages, sources).items() if truth.is_shared]


def make_site(name: str, folder: Path, *, below: str = "", is_withheld: bool = False) -> Any:
    """A repository of a site's source, with the built site in it; a DatedRepository."""
    source, output = ROOT / "benchmarks" / "generator_sites" / name, SITES[name].output
    made = _repositories.make_repository(folder / "repository", source, output, below=below, is_withheld=is_withheld)
    _outputs.unpack(FIXTURES / f"{name}.tar.xz", made.output)
    return made


def page_texts(made: Any) -> dict[str, str]:
    """The text of each page of a built site, by path."""
    return {path.relative_to(made.output).as_posix(): path.read_text("utf-8") for path in made.output.rglob("*.html")}


def compared(name: str, folder: Path, *, is_withheld: bool = False) -> list[Any]:
    """What the date of each page of a site is worth that `waypost build` lists with nothing configured: PageDates."""
    made = make_site(name, folder, is_withheld=is_withheld)
    listed = _comparison.listed_pages(made.folder, made.output, SITES[name].base_url)
    pages: list[Any] = _comparison.compare_dates(made, listed)
    return pages


def detected_sources(made: Any, keys: Iterable[str]) -> dict[str, list[str]]:
    """The files from which the preset of a repository's project says that pages are made; empty without a preset."""
    found = detected_preset(made.output.resolve(), made.folder.resolve())
    mapper = SourceMapper(found.mappings_from(made.folder.resolve()) if found else ())
    tracked = sorted(made.times.keys() - made.withheld)
    return {key: list(mapper.files(key, tracked)) for key in keys}
