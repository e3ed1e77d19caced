from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.report.folders import Folder, FolderCounter, folder_ids

PATHS = ("", "a", "a/", "a/b", "a/b/c.html", "a/bb/d", "b", "b/a/b/c/d", "aa/x", "c?x/y")


def counted(*pages: tuple[str, int]) -> FolderCounter:
    counter = FolderCounter(3)
    for path, age in pages:
        counter.add_page(path, age)
    return counter


def walk(folder: Folder, path: str = "") -> list[tuple[str, Folder]]:
    below = [each for child in folder.folders for each in walk(child, f"{path}{child.name}/")]
    return [(path, folder), *below]


def test_a_folder_counts_the_pages_of_all_folders_below() -> None:
    root = counted(("a.html", 0), ("x/a", 1), ("x/y/b", 2), ("z/c", 2)).tree()
    assert [(path, folder.ages) for path, folder in walk(root)] == [
        ("", [1, 1, 2]),
        ("x/", [0, 1, 1]),
        ("x/y/", [0, 0, 1]),
        ("z/", [0, 0, 1]),
    ]
    assert root.pages == 4


def test_larger_folders_come_first_and_names_are_decoded() -> None:
    root = counted(("a/1", 0), ("caf%C3%A9%0A/1", 0), ("caf%C3%A9%0A/2?a=b/c", 0)).tree()
    assert [folder.name for folder in root.folders] == ["café\\n", "a"]


def test_changes_are_counted_by_kind_also_where_no_page_is_left() -> None:
    counter = counted(("x/a", 0))
    counter.add_change("gone/a", "removed")
    counter.add_change("x/b", "added")
    assert [(path, folder.changes) for path, folder in walk(counter.tree())] == [
        ("", [1, 1, 0, 0]),
        ("x/", [1, 0, 0, 0]),
        ("gone/", [0, 1, 0, 0]),
    ]


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(PATHS), st.integers(0, 2)), max_size=8))
def test_a_page_is_in_the_folders_whose_ids_contain_its_own(pages: list[tuple[str, int]]) -> None:
    root = counted(*pages).tree()
    id_of = folder_ids(root)
    for id, (path, folder) in enumerate(walk(root)):
        ids = range(id, id + len(walk(folder)))
        inside = sum(id_of(page) in ids for page, _ in pages)
        assert inside == folder.pages == sum(page.startswith(path) for page, _ in pages)


def test_the_pages_of_too_many_folders_are_counted_above() -> None:
    count = 10_010
    root = counted(*((f"{n}/a", 0) for n in range(count))).tree()
    assert (root.pages, len(root.folders)) == (count, 9_999)
    assert folder_ids(root)(f"{count - 1}/a") == 0


def test_pages_deep_down_are_counted_in_the_eighth_folder() -> None:
    root = counted(("a/" * 20 + "x", 0)).tree()
    assert [path.count("/") for path, _ in walk(root)] == list(range(9))
