"""Sites that generators built: what `python benchmarks/generators.py` wrote to `fixtures/generators`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

_builds, _outputs = map(import_module, ("generator_builds", "generator_outputs"))
FIXTURES: Path = _outputs.FIXTURES
archive: Callable[[Path, Path], None] = _outputs.archive
"""Pack the pages and sitemaps of a folder into an archive."""
SITES: dict[str, Any] = {site.name: site for site in _builds.read_sites()}
"""The sites of `benchmarks/generator_sites`, each a GeneratorSite."""
BASE_URLS: dict[str, str] = {name: site.base_url for name, site in SITES.items()}
"""The base URL of each site in `benchmarks/generator_sites`."""


@dataclass(frozen=True)
class BuiltSite:
    """A site as its generator built it: `own_urls` are the URLs in the generator's sitemaps, not percent-encoded."""

    folder: Path
    base_url: str
    own_urls: frozenset[str]


def unpack(name: str, folder: Path) -> BuiltSite:
    """Unpack a site's fixture into a folder."""
    _outputs.unpack(FIXTURES / f"{name}.tar.xz", folder)
    return BuiltSite(folder, BASE_URLS[name], frozenset(_outputs.own_urls(folder)))


def fixtures() -> set[str]:
    """The names of the sites that have a fixture."""
    return {path.name.removesuffix(".tar.xz") for path in FIXTURES.glob("*.tar.xz")}


def sites_with_differences() -> set[str]:
    """The names of the sites that `fixtures/generators/expected.toml` has a table for."""
    return set(_outputs.expected_differences())


def expected_urls(name: str, kind: str) -> frozenset[str]:
    """The URLs that `fixtures/generators/expected.toml` has of one kind: extra or wrong."""
    differences = _outputs.expected_differences().get(name, [])
    return frozenset(url for each in differences if each.kind == kind for url in each.urls)
