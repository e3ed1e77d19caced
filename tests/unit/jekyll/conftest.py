from collections.abc import Mapping
from pathlib import Path

import pytest
from jekyll_builds import NOW, MakeSource

from waypost.jekyll.config import Profile
from waypost.jekyll.source import JekyllSource
from waypost.sources.filesystem import FolderSource


@pytest.fixture
def make_source(tmp_path: Path) -> MakeSource:
    def make(files: Mapping[str, str], profile: Profile = "jekyll") -> JekyllSource:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text or "---\n---\n")
        return JekyllSource(FolderSource(tmp_path), profile, NOW)

    return make
