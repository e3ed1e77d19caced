import inspect
import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from sites import MakeSite

from waypost.core import reasons
from waypost.core.errors import SourceError
from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason
from waypost.core.tree_files import SMALL_FILE
from waypost.files.folder_source import FolderSource
from waypost.pages.selection import Selection


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


def fill(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def list_items(root: Path, prunes: Iterable[str] = ()) -> list[Item | Skipped]:
    pruned = set(prunes)
    return list(FolderSource(root).items(lambda key: reasons.EXCLUDED if key in pruned else None))


def items(root: Path) -> dict[str, str]:
    return {found.key: found.read_key for found in list_items(root) if isinstance(found, Item)}


def skipped(root: Path) -> dict[str, Reason]:
    return {found.key: found.reason for found in list_items(root) if isinstance(found, Skipped)}


def test_every_file_is_found_by_its_path_below_the_root(root: Path) -> None:
    names = ["a.html", "docs/b.html", "docs/deep/er/c.html", "ü/日本 語.html", "what?#%20.html", "back\\slash.html"]
    fill(root, *names)
    assert items(root) == {name: name for name in names}
    assert skipped(root) == {}


def test_the_walk_comes_in_the_same_order_whatever_the_order_of_creation(tmp_path: Path) -> None:
    names = ["b/x.html", "a.html", "c.html", "b.html", "a/y.html"]
    fill(tmp_path / "one", *names)
    fill(tmp_path / "two", *reversed(names))
    assert list_items(tmp_path / "one") == list_items(tmp_path / "two")


def test_a_pruned_folder_is_not_entered_and_has_its_reason(root: Path) -> None:
    fill(root, "a.html", "drafts/b.html", "drafts/deep/c.html")
    assert list_items(root, ["drafts/"]) == [Item("a.html", "a.html"), Skipped("drafts/", reasons.EXCLUDED)]


def test_a_linked_folder_is_pruned_by_the_key_it_is_reached_by(root: Path) -> None:
    fill(root, "real/a.html")
    (root / "linked").symlink_to("real")
    assert Skipped("linked/", reasons.EXCLUDED) in list_items(root, ["linked/"])
    assert items(root).keys() == {"real/a.html", "linked/a.html"}


def test_what_is_not_a_folder_is_no_site(root: Path) -> None:
    fill(root, "file")
    for path in (root / "file", root / "missing"):
        with pytest.raises(SourceError, match="is not a folder"):
            FolderSource(path)


def test_a_root_that_is_itself_a_link_is_followed(root: Path, tmp_path: Path) -> None:
    fill(root, "a.html")
    (root / "link.html").symlink_to("a.html")
    (tmp_path / "link").symlink_to(root)
    assert items(tmp_path / "link") == {"a.html": "a.html", "link.html": "a.html"}


def test_a_name_that_is_not_utf8_keeps_its_bytes(root: Path) -> None:
    (Path(os.fsdecode(os.fsencode(root) + b"/caf\xe9.html"))).write_bytes(b"content")
    (found,) = list_items(root)
    assert found == Item("caf\udce9.html", "caf\udce9.html")
    assert isinstance(found, Item)
    assert FolderSource(root).read(found).data == b"content"


@pytest.mark.parametrize(
    ("files", "links", "listed", "left_out"),
    [
        (
            ["docs/a.html"],
            {"link.html": "docs/a.html", "absolute.html": "{root}/docs/a.html", "chain.html": "link.html"},
            {"link.html": "docs/a.html", "absolute.html": "docs/a.html", "chain.html": "docs/a.html"},
            {},
        ),
        (
            ["v2/a.html", "v2/deep/b.html"],
            {"latest": "v2"},
            {"latest/a.html": "v2/a.html", "latest/deep/b.html": "v2/deep/b.html"},
            {},
        ),
        ([], {"one": "../outside", "two": "one/a.html"}, {}, dict.fromkeys(["one", "two"], reasons.LINK_OUTSIDE)),
        ([], {"a": "b", "b": "a"}, {}, dict.fromkeys("ab", reasons.DANGLING_LINK)),
        *(
            (["deep/er/a.html"], {"deep/er/up": target}, {}, {"deep/er/up/": reasons.LINK_LOOP})
            for target in (".", "..", "../..", "../../deep")
        ),
        (
            ["one/a.html", "two/b.html"],
            {"link": "one", "one/nested": "../two", "one/file.html": "../two/b.html"},
            {
                "one/file.html": "two/b.html",
                "one/nested/b.html": "two/b.html",
                "link/a.html": "one/a.html",
                "link/file.html": "two/b.html",
            },
            {"link/nested/": reasons.NESTED_LINK},
        ),
    ],
    ids=["file", "folder", "out-by-a-link", "each-other", "itself", "above", "root", "beside", "nested"],
)
def test_a_link_is_an_item_of_its_own_unless_it_leads_out_nowhere_or_back(
    root: Path, tmp_path: Path, files: list[str], links: dict[str, str], listed: dict[str, str], left_out: object
) -> None:
    fill(tmp_path, "outside/a.html")
    fill(root, *files)
    for name, target in links.items():
        (root / name).symlink_to(target.format(root=root))
    assert items(root) == {name: name for name in files} | listed
    assert skipped(root) == left_out


@pytest.mark.parametrize("target", ["/etc/passwd", "/etc", "../outside.html", "../outside", "../site-2/a.html"])
def test_a_link_out_of_the_root_is_skipped(root: Path, tmp_path: Path, target: str) -> None:
    fill(tmp_path, "outside.html", "outside/a.html", "site-2/a.html")
    (root / "link").symlink_to(target)
    assert list_items(root) == [Skipped("link", reasons.LINK_OUTSIDE, target)]


@pytest.mark.parametrize(
    "target", [".git", ".git/hooks", ".git/hooks/a.html", "lib/node_modules/x.html", ".hidden.html"]
)
def test_no_link_brings_back_what_is_never_listed(root: Path, make_site: MakeSite, target: str) -> None:
    fill(root, ".git/hooks/a.html", "lib/node_modules/x.html", ".hidden.html")
    (root / "link").symlink_to(target)
    found = list(FolderSource(root).items(Selection(make_site()).folder_exclusion_reason))
    assert [each for each in found if isinstance(each, Item) and each.key.startswith("link")] == []
    assert {each.reason for each in found if isinstance(each, Skipped) and each.key == "link"} in (
        {reasons.HIDDEN},
        {reasons.DEPENDENCY},
    )


def test_a_folder_that_is_excluded_is_listed_under_the_name_of_a_link_to_it(root: Path, make_site: MakeSite) -> None:
    fill(root, "v2/a.html")
    (root / "latest").symlink_to("v2")
    found = FolderSource(root).items(Selection(make_site(exclude=["/v2/"])).folder_exclusion_reason)
    assert list(found) == [Item("latest/a.html", "v2/a.html"), Skipped("v2/", reasons.EXCLUDED)]


@pytest.mark.parametrize("target", ["missing.html", "/nowhere/at/all", "link", "a.html/b"])
def test_a_link_to_nothing_is_skipped(root: Path, target: str) -> None:
    fill(root, "a.html")
    (root / "link").symlink_to(target)
    assert Skipped("link", reasons.DANGLING_LINK, target) in list_items(root)


def test_links_among_many_folders_do_not_multiply(root: Path) -> None:
    count = 8
    for here in range(count):
        fill(root, f"{here}/page.html")
        for there in range(count):
            (root / str(here) / f"to-{there}").symlink_to(f"../{there}")
    found = list_items(root)
    assert sum(isinstance(each, Item) for each in found) == count + count * (count - 1)
    assert len(found) < (count + 1) ** 3


def test_a_loop_of_folders_is_walked_once(root: Path) -> None:
    fill(root, "a/x.html", "b/y.html")
    (root / "a" / "b").symlink_to("../b")
    (root / "b" / "a").symlink_to("../a")
    assert items(root).keys() == {"a/x.html", "a/b/y.html", "b/y.html", "b/a/x.html"}
    assert set(skipped(root).values()) <= {reasons.NESTED_LINK, reasons.LINK_LOOP}


def test_a_pipe_and_a_link_to_one_are_skipped_without_opening_them(root: Path) -> None:
    os.mkfifo(root / "pipe.html")
    (root / "link.html").symlink_to("pipe.html")
    assert skipped(root) == {"pipe.html": reasons.NOT_A_FILE, "link.html": reasons.NOT_A_FILE}


def test_a_folder_that_vanishes_during_the_walk_is_skipped(root: Path) -> None:
    fill(root, "a.html", "b/c.html", "d.html")
    found = FolderSource(root).items(lambda key: None)
    assert next(found) == Item("a.html", "a.html")
    shutil.rmtree(root / "b")
    assert [each.key for each in found] == ["b/", "d.html"]


def too_deep(folder: Path) -> Path:
    """Make folders that even root cannot list: their path is longer than the system allows (PATH_MAX)."""
    name, above = "d" * 250, os.open(folder, os.O_RDONLY)
    for _ in range(20):
        os.mkdir(name, dir_fd=above)
        below = os.open(name, os.O_RDONLY, dir_fd=above)
        os.close(above)
        above = below
    os.close(above)
    return folder


def test_a_folder_that_cannot_be_listed_is_an_error_and_no_folder_without_pages(root: Path) -> None:
    fill(root, "a.html")
    too_deep(root)
    with pytest.raises(SourceError, match=r"d{250} cannot be read: File name too long; correct its permissions"):
        list_items(root)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("locked", [".", "locked"])
def test_a_folder_that_may_not_be_read_is_an_error(root: Path, locked: str) -> None:
    fill(root, "a.html", "locked/b.html")
    (root / locked).chmod(0)
    try:
        with pytest.raises(SourceError, match="cannot be read: Permission denied"):
            list_items(root)
    finally:
        (root / locked).chmod(0o755)


def test_a_folder_that_is_left_out_need_not_be_readable(root: Path) -> None:
    fill(root, "a.html")
    (root / "locked").mkdir()
    too_deep(root / "locked")
    assert list_items(root, ["locked/"]) == [Item("a.html", "a.html"), Skipped("locked/", reasons.EXCLUDED)]


@pytest.mark.parametrize("name", ["n" * 300, "file.html/below"])
def test_a_site_that_cannot_be_a_folder_is_an_error(root: Path, name: str) -> None:
    fill(root, "file.html")
    with pytest.raises(SourceError):
        FolderSource(root / name)


def test_a_file_is_read_whole_or_from_its_beginning(root: Path) -> None:
    (root / "a.html").write_bytes(b"0123456789")
    tree, item = FolderSource(root), Item("a.html", "a.html")
    assert tree.read(item) == Body(b"0123456789")
    assert tree.read(item, 4) == Body(b"0123", is_whole=False)
    assert tree.read(item, 100) == Body(b"0123456789")
    assert tree.read(item, 0) == Body(b"", is_whole=False)


def test_a_linked_file_is_read_by_its_origin(root: Path) -> None:
    fill(root, "real.html")
    (root / "link.html").symlink_to("real.html")
    assert FolderSource(root).read(Item("link.html", "real.html")).data == b"real.html"


def test_a_file_that_is_gone_raises(root: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FolderSource(root).read(Item("a.html", "a.html"))


def test_a_file_is_found_by_its_key_and_nothing_else_is(root: Path) -> None:
    fill(root, "robots.txt", "docs/robots.txt")
    tree = FolderSource(root)
    assert tree.find("robots.txt") == b"robots.txt"
    assert tree.find("missing.txt") is None
    assert tree.find("docs") is None
    assert tree.find("robots.txt/x") is None


def test_a_file_that_is_larger_than_any_of_its_kind_is_not_read(root: Path) -> None:
    fill(root, "CNAME")
    os.truncate(root / "CNAME", SMALL_FILE + 1)
    with pytest.raises(OSError, match="larger than 4,194,304 bytes"):
        FolderSource(root).find("CNAME")


@pytest.mark.parametrize("target", ["../outside.txt", "/etc/passwd", "pipe", "robots.txt"])
def test_a_file_that_leads_out_of_the_root_or_nowhere_is_not_read(root: Path, tmp_path: Path, target: str) -> None:
    fill(tmp_path, "outside.txt")
    os.mkfifo(root / "pipe")
    (root / "robots.txt").symlink_to(target)
    with pytest.raises(OSError, match=r"link that leads out of|not a regular file|symbolic links"):
        FolderSource(root).find("robots.txt")


def test_folders_deeper_than_python_calls_functions_are_walked(root: Path) -> None:
    folder = root / Path(*["a"] * 200)
    folder.mkdir(parents=True)
    (folder / "x.html").touch()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 100)
    try:
        found = list_items(root)
    finally:
        sys.setrecursionlimit(limit)
    assert [item.key for item in found] == ["a/" * 200 + "x.html"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("pubic", r"\(.* has docs, public\)"),
        ("docs\\html", "with / between folders"),
    ],
)
def test_a_folder_that_does_not_exist_is_answered_with_what_to_write(tmp_path: Path, name: str, hint: str) -> None:
    for folder in ("public", "docs", ".git"):
        (tmp_path / folder).mkdir()
    with pytest.raises(SourceError, match=hint):
        FolderSource(tmp_path / name)
