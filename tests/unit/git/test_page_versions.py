"""Reading and fetching the versions of pages; tests/integration/test_page_dates.py reads whole histories."""

from pathlib import Path

import pytest
from repositories import Repository, in_repository

from waypost.git.page_versions import PageVersions

T = 1_700_000_000


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "site")
    made.commit({"a.html": b"one\n", "empty.html": b""}, T)
    made.commit({"a.html": b"two"}, T + 1)
    return made


def blob(repository: Repository, name: str) -> bytes:
    return repository.git("rev-parse", name).strip().encode()


def test_blobs_and_files_are_read_in_the_order_in_which_they_are_asked_for(repository: Repository) -> None:
    repository.write({"a.html": b"three"})
    old, empty = blob(repository, "HEAD~1:a.html"), blob(repository, "HEAD:empty.html")
    with PageVersions(in_repository(repository.folder)) as versions:
        assert list(versions.read([old, "a.html", empty, b"f" * 40, "none.html", old])) == [
            *(b"one\n", b"three", b"", None, None, b"one\n")
        ]
        assert list(versions.read([blob(repository, "HEAD:a.html")])) == [b"two"]
        assert versions.is_local(b"f" * 40)
        assert not versions.fetch({b"f" * 40})


def test_a_thousand_versions_can_be_asked_for_at_once(repository: Repository) -> None:
    repository.commit({"large.html": b"x" * 10_000}, T + 2)
    large = blob(repository, "HEAD:large.html")
    with PageVersions(in_repository(repository.folder)) as versions:
        assert sum(len(content or b"") for content in versions.read([large] * 1_000)) == 10_000_000


def test_versions_that_are_read_ahead_come_in_any_order_and_as_often_as_wanted(repository: Repository) -> None:
    old, new, empty = (blob(repository, name) for name in ("HEAD~1:a.html", "HEAD:a.html", "HEAD:empty.html"))
    with PageVersions(in_repository(repository.folder)) as versions:
        versions.read_ahead([old, b"f" * 40, new, "a.html", old])
        assert list(versions.read([new, empty, new, old, "a.html"])) == [b"two", b"", b"two", b"one\n", b"two"]
        assert list(versions.read([old, b"f" * 40, old])) == [b"one\n", None, b"one\n"]
        versions.read_ahead([new, old])
        versions.read_ahead([])
        assert list(versions.read([empty, old])) == [b"", b"one\n"]


def test_versions_that_there_is_no_room_for_are_read_again(repository: Repository) -> None:
    repository.commit({f"{n}.html": b"%d" % n * 6_000_000 for n in range(1, 4)}, T + 2)
    large = [blob(repository, f"HEAD:{n}.html") for n in range(1, 4)]
    with PageVersions(in_repository(repository.folder)) as versions:
        versions.read_ahead(large)
        assert [(content or b"")[:1] for content in versions.read(large[::-1])] == [b"3", b"2", b"1"]


def test_a_partial_clone_reads_only_what_was_fetched(repository: Repository, tmp_path: Path) -> None:
    repository.git("config", "uploadpack.allowFilter", "true")
    repository.git("config", "uploadpack.allowAnySHA1InWant", "true")
    repository.git("clone", "--quiet", "--filter=blob:none", repository.folder.as_uri(), str(tmp_path / "clone"))
    old, new = blob(repository, "HEAD~1:a.html"), blob(repository, "HEAD:a.html")
    with PageVersions(in_repository(tmp_path / "clone")) as versions:
        assert (versions.remote, versions.is_local(old), versions.is_local(new)) == ("origin", False, True)
        assert list(versions.read([old, new])) == [None, b"two"]
        assert versions.fetch({old})
        assert list(versions.read([old, new])) == [b"one\n", b"two"]
        repository.folder.rename(tmp_path / "out-of-reach")
        assert not versions.fetch({b"f" * 40})
