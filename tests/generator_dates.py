"""The sites that generators built, in repositories where each source has a commit time, and what pages are made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from date_comparison import PageDate, compare_dates, listed_pages
from date_repositories import DatedRepository, make_repository
from date_truth import truths
from generator_fixtures import ROOT, SITES, unpack


def made_of(pages: Mapping[str, str], sources: Mapping[str, str]) -> dict[str, list[str]]:
    """The files that each page is made of."""
    return {key: sorted(truth.files) for key, truth in truths(pages, sources).items()}


def of_shared_files(pages: Mapping[str, str], sources: Mapping[str, str]) -> list[str]:
    """The pages whose source has the texts of other pages, too."""
    return [key for key, truth in truths(pages, sources).items() if truth.is_shared]


def make_site(name: str, folder: Path, *, below: str = "", is_withheld: bool = False) -> DatedRepository:
    """A repository of a site's source, with the built site in it."""
    source, output = ROOT / "benchmarks" / "generator_sites" / name, SITES[name].output
    made = make_repository(folder / "repository", source, output, below=below, is_withheld=is_withheld)
    unpack(name, made.output)
    return made


def page_texts(made: DatedRepository) -> dict[str, str]:
    """The text of each page of a built site, by path."""
    return {path.relative_to(made.output).as_posix(): path.read_text("utf-8") for path in made.output.rglob("*.html")}


def compared(name: str, folder: Path, *, is_withheld: bool = False) -> list[PageDate]:
    """What the date of each page of a site is worth that `waypost build` lists with nothing configured."""
    made = make_site(name, folder, is_withheld=is_withheld)
    return compare_dates(made, listed_pages(made.folder, made.output, SITES[name].base_url))
