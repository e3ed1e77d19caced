"""The names of parts of files, which histories follow as if they were pages."""

import pytest

from waypost.core.page_changes import part_name, path_of_part, region_of_part


@pytest.mark.parametrize(("region", "path"), [("tag:a", "docs/a.rb"), ("object:", "a.py"), ("marks:a=b\nc=d", "é.txt")])
def test_the_name_of_a_part_has_its_region_and_its_path(region: str, path: str) -> None:
    name = part_name(region, path)
    assert (region_of_part(name), path_of_part(name)) == (region, path)
    assert name.endswith(path)


def test_a_whole_file_has_its_path_as_its_name() -> None:
    assert (region_of_part("docs/a.md"), path_of_part("docs/a.md")) == ("", "docs/a.md")
