from waypost.core.model import Item
from waypost.pages.jekyll_pages import SourceFile


def test_a_file_has_a_folder_and_a_name() -> None:
    deep, top = SourceFile("a/b/c.md", Item("a/b/c.md", "")), SourceFile("c.md", Item("c.md", ""))
    assert (deep.folder, deep.name) == ("a/b", "c.md")
    assert (top.folder, top.name) == ("", "c.md")
