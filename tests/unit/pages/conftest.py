from collections.abc import Mapping
from pathlib import Path

import pytest
from jekyll_builds import NOW, MakeSource

from waypost.files.folder_source import FolderSource
from waypost.pages.jekyll_config import Profile
from waypost.pages.jekyll_source import JekyllSource


@pytest.fixture
def make_source(tmp_path: Path) -> MakeSource:
    def make(files: Mapping[str, str], profile: Profile = "jekyll") -> JekyllSource:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text or "---\n---\n")
        return JekyllSource(FolderSource(tmp_path), profile, NOW)

    return make
