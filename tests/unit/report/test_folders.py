from hypothesis import given
from hypothesis import strategies as st

from waypost.core.diff import ChangeCounts, SectionChanges
from waypost.report import folders
from waypost.report.folders import Folder, FolderCounter, FolderIds

PATHS = st.lists(st.tuples(st.from_regex(r"([a-c]{1,2}/){0,4}[a-z.]{1,4}", fullmatch=True), st.integers(0, 2)))


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
    counter.add_changes(ChangeCounts((SectionChanges("/x/", added=3), SectionChanges("/", lastmod_changed=1))))
    root = counter.tree()
    assert [(path, folder.changes) for path, folder in walk(root)] == [
        ("", [3, 1, 1, 0]),
        ("x/", [3, 0, 0, 0]),
        ("gone/", [0, 1, 0, 0]),
    ]


@given(PATHS)
def test_a_page_is_in_the_folders_whose_ids_contain_its_own(pages: list[tuple[str, int]]) -> None:
    root = counted(*pages).tree()
    ids = FolderIds(root)
    for path, folder in walk(root):
        inside = sum(folder.id <= ids.of(page) <= folder.last_id for page, _ in pages)
        assert inside == folder.pages == sum(page.startswith(path) for page, _ in pages)


def test_the_pages_of_too_many_folders_are_counted_above() -> None:
    count = folders._MAX_FOLDERS + 10
    pages = [(f"{n}/a", 0) for n in range(count)]
    root = counted(*pages).tree()
    assert root.pages == count
    assert len(root.folders) < count
    assert FolderIds(root).of(f"{count - 1}/a") == 0
