import pytest

from waypost.dates.page_evidence import SourceLinks

PATHS = ["docs/a.md", "docs/guide/a.md", "docs/guide/index.rst", "guide/index.rst", "src/größe x.md", "README.md"]
REPOSITORY = "https://example.org/owner/name"


@pytest.mark.parametrize(
    ("links", "files"),
    [
        ([], ()),
        ([f"{REPOSITORY}/edit/main/docs/a.md"], ("docs/a.md",)),
        ([f"{REPOSITORY}/edit/main/docs/a.md?plain=1#L3"], ("docs/a.md",)),
        ([f"{REPOSITORY}/edit/main/src/gr%C3%B6%C3%9Fe%20x.md"], ("src/größe x.md",)),
        ([f"{REPOSITORY}/edit/main/other-docs/a.md"], ()),
        ([f"{REPOSITORY}/blob/main/docs/a.md", f"{REPOSITORY}/blob/main/README.md"], ("README.md", "docs/a.md")),
        ([f"{REPOSITORY}/edit/main/docs/a.md", f"{REPOSITORY}/edit/release/docs/a.md"], ("docs/a.md",)),
        (["../_sources/guide/a.md.txt"], ("docs/guide/a.md",)),
        (["_sources/a.md.txt"], ()),
        (["../../_sources/guide/index.rst.txt"], ()),
        (["_sources/docs/guide/index.rst.txt"], ("docs/guide/index.rst",)),
        (["https://[/edit/docs/a.md"], ()),
        ([f"{REPOSITORY}/edit/{'a/' * 1_000_000}docs/a.md"], ()),
    ],
)
def test_a_link_leads_to_the_one_file_that_it_can_mean(links: list[str], files: tuple[str, ...]) -> None:
    assert SourceLinks(PATHS).files(links) == files


def test_a_link_for_editing_counts_more_than_others() -> None:
    links = [f"{REPOSITORY}/blob/main/README.md", f"{REPOSITORY}/edit/main/docs/a.md", f"{REPOSITORY}/tree/main/docs"]
    assert SourceLinks(PATHS).files(links) == ("docs/a.md",)


def test_a_link_for_editing_to_no_tracked_file_hides_no_other() -> None:
    links = [f"{REPOSITORY}/edit/main/elsewhere.md", f"{REPOSITORY}/blob/main/README.md"]
    assert SourceLinks(PATHS).files(links) == ("README.md",)


@pytest.mark.parametrize(("count", "files"), [(100, ("7/docs/a.md",)), (101, ())])
def test_of_too_many_files_with_the_same_end_none_is_meant(count: int, files: tuple[str, ...]) -> None:
    assert SourceLinks([f"{n}/docs/a.md" for n in range(count)]).files(["_sources/7/docs/a.md.txt"]) == files


def test_the_order_of_paths_and_of_links_does_not_matter() -> None:
    links = [f"{REPOSITORY}/blob/main/{path}" for path in PATHS[:3]]
    found = SourceLinks(PATHS).files(links)
    assert found == SourceLinks(list(reversed(PATHS))).files(reversed(links)) == tuple(sorted(PATHS[:3]))
