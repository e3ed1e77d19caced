"""Values of the front matter by default."""

import pytest

from waypost.core.errors import SourceError
from waypost.pages.jekyll_defaults import FrontMatterDefaults, is_published, is_true, merged, read_default_sets


def defaults(*sets: dict[str, object], paths: tuple[str, ...] = (), collections_dir: str = "") -> FrontMatterDefaults:
    return FrontMatterDefaults(read_default_sets(list(sets)), paths, collections_dir)


def scoped(path: str, value: object, **scope: str) -> dict[str, object]:
    return {"scope": {"path": path, **scope}, "values": {"x": value}}


@pytest.mark.parametrize(
    ("sets", "value"),
    [
        ((scoped("", 1), scoped("docs", 2)), 2),
        ((scoped("docs", 1), scoped("docs", 2)), 2),
        ((scoped("docs", 1, type="pages"), scoped("docs", 2)), 1),
        ((scoped("docs", 1), scoped("docs", 2, type="pages")), 2),
        ((scoped("do", 3),), 3),
        ((scoped("", 3, type="posts"),), None),
        (({"values": {"x": 4}},), 4),
        (({"scope": {"path": "docs"}},), None),
    ],
)
def test_the_longest_scope_and_then_the_typed_one_counts(sets: tuple[dict[str, object], ...], value: object) -> None:
    assert defaults(*sets).of("docs/a.md", "pages").get("x") == value


def test_a_glob_names_files_and_folders_that_exist() -> None:
    of = defaults(scoped("docs/*/old", 1), paths=("docs/a/old", "docs/a", "docs/b", "docs/b/x.md")).of
    assert of("docs/a/old/x.md", "pages") == {"x": 1}
    assert of("docs/b/old/x.md", "pages") == {}


def test_a_scope_may_name_the_folder_of_the_collections() -> None:
    of = defaults(scoped("all/_docs", 1), scoped("all/*s", 2), paths=("all/_docs",), collections_dir="all").of
    assert of("_docs/a.md", "docs") == {"x": 1}


@pytest.mark.parametrize(
    ("scope", "applies"),
    [("docs", True), ("do", False), ("docs/", False), ("", True), ("docs/*", True), ("*/ol", False)],
)
def test_a_scope_of_jekyll_3_matches_whole_segments(scope: str, applies: bool) -> None:
    sets = read_default_sets([scoped(scope, 1)])
    of = FrontMatterDefaults(sets, ("docs", "docs/o", "docs/old"), "", by_segments=True).of
    assert of("docs/old/a.md", "pages") == ({"x": 1} if applies else {})


def test_a_static_file_has_no_type() -> None:
    of = defaults(scoped("", 1), scoped("", 2, type="pages")).of
    assert of("/a.html", None) == {"x": 1}


def test_an_empty_value_does_not_replace_another() -> None:
    assert merged({"a": 1}, {"a": None, "b": None}) == {"a": 1, "b": None}


def test_what_is_no_list_of_sets_has_no_values() -> None:
    assert read_default_sets({"values": {}}) == ()
    assert read_default_sets(["x", {"values": 1}]) == ()


def test_only_false_and_nothing_are_not_true() -> None:
    assert [is_true(value) for value in (0, "", "false", None, False)] == [True, True, True, False, False]


def test_an_empty_published_does_not_publish() -> None:
    assert is_published({})
    assert is_published({"published": "no"})
    assert not is_published({"published": None})
    assert not is_published({"published": False})


def test_a_scope_that_matches_each_of_many_paths_finds_a_path_by_its_beginning() -> None:
    paths = tuple(f"docs/{n}/a.md" for n in range(3_000))
    answers = defaults(scoped("docs/**/*", 1), scoped("docs/*/a*", 2), paths=paths)
    assert [answers.of(path, None).get("x") for path in (*paths, "doc/a.md", "docs/0/b.md")] == [2] * 3_000 + [None] * 2


@pytest.mark.parametrize(
    ("sets", "problem"),
    [
        ([scoped("a", 1)] * 1_001, "1,001 sets"),
        ([{"values": {f"k{n}": 1 for n in range(2_001)}}], "2,001 values"),
        ([scoped("a*", 1)] * 101, r"101 paths with a \*"),
        ([scoped("{a,b}" * 30 + "*", 1)], "more than 1,000 characters"),
    ],
)
def test_defaults_over_a_limit_are_refused(sets: list[dict[str, object]], problem: str) -> None:
    with pytest.raises(SourceError, match=f"defaults: .*{problem}"):
        read_default_sets(sets)
