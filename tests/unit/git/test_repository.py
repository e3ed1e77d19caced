import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from repositories import Repository, in_repository

from waypost.core.errors import SourceError
from waypost.git import Repositories


def unpacked(folder: Path, mark: Path, *, is_bare: bool = False) -> Repository:
    """A repository with settings that run programs, as an archive or a committed folder may hold one."""
    made = Repository(folder)
    made.commit({"index.html": "<title>x</title>", ".gitattributes": "* filter=evil diff=evil\n"}, 1_700_000_000)
    for name in ("core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.external"):
        made.git("config", name, f"touch {mark}; false")
    made.git("config", "diff.evil.textconv", f"touch {mark}; cat")
    made.write({"index.html": "<title>y</title>"})
    if is_bare:
        for each in (folder / ".git").iterdir():
            each.rename(folder / each.name)
        (folder / ".git").rmdir()
        (folder / "work").mkdir()
        Repository.git(made, "config", "--file", "config", "core.worktree", "work")
        Repository.git(made, "config", "--file", "config", "core.bare", "false")
    return made


def test_no_filter_of_a_repository_s_own_settings_runs(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    site = unpacked(tmp_path / "site", mark)
    assert b"index.html" in in_repository(site.folder).run("diff", "--name-only", "HEAD").stdout
    assert in_repository(site.folder).run("add", "--all").returncode == 0
    assert not mark.exists()


@pytest.mark.parametrize("is_bare", [False, True])
@pytest.mark.parametrize("below", ["site", "site/pages"])
def test_a_repository_inside_of_the_site_is_not_opened(tmp_path: Path, below: str, *, is_bare: bool) -> None:
    outer, mark = Repository(tmp_path / "project"), tmp_path / "mark"
    outer.commit({"README.md": "x"}, 1_700_000_000)
    unpacked(outer.folder / "site", mark, is_bare=is_bare)
    (outer.folder / "site" / "pages").mkdir()
    found = Repositories(outer.folder).find(outer.folder / below)
    assert found is not None
    assert found.root == outer.folder.resolve()
    for command in (("diff", "HEAD", "--"), ("ls-files", "--others"), ("log", "-p")):
        assert found.run(*command).returncode == 0
    assert not mark.exists()
    unopened = Repositories(outer.folder).unopened(outer.folder / below)
    assert unopened == (None if is_bare else outer.folder.resolve() / "site")


def test_a_folder_that_looks_like_a_bare_repository_is_none(tmp_path: Path) -> None:
    folder = unpacked(tmp_path / "site", tmp_path / "mark", is_bare=True).folder
    assert Repositories(folder).find(folder) is None
    assert not (tmp_path / "mark").exists()


def test_a_git_file_that_points_to_a_committed_folder_is_not_followed(tmp_path: Path) -> None:
    outer, mark = Repository(tmp_path / "project"), tmp_path / "mark"
    hidden = unpacked(outer.folder / "hidden", mark)
    shutil.move(hidden.folder / ".git", outer.folder / "modules")
    (outer.folder / "site").mkdir()
    (outer.folder / "site" / ".git").write_text("gitdir: ../modules\n")
    found = Repositories(outer.folder).find(outer.folder / "site")
    assert found is not None
    assert found.root == outer.folder.resolve()


def test_a_submodule_and_a_second_working_tree_are_opened(tmp_path: Path) -> None:
    inner, outer = Repository(tmp_path / "inner"), Repository(tmp_path / "outer")
    inner.commit({"page.html": "one"}, 1_700_000_000)
    outer.commit({"index.html": "one"}, 1_700_000_000)
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.folder), "site")
    outer.git("worktree", "add", "--quiet", "--detach", "public")
    for name, is_submodule in (("site", True), ("public", False)):
        found = Repositories(outer.folder).find(outer.folder / name)
        assert found is not None
        assert (found.root, found.repository.is_submodule) == (outer.folder.resolve() / name, is_submodule)
        assert not found.repository.is_offline


def test_a_repository_outside_of_the_workspace_is_read_but_asks_no_remote(tmp_path: Path) -> None:
    workspace, other = Repository(tmp_path / "workspace"), Repository(tmp_path / "other")
    other.commit({"page.html": "one"}, 1_700_000_000)
    other.git("remote", "add", "origin", workspace.folder.as_uri())
    for here in (workspace.folder, tmp_path):
        found = Repositories(here).find(other.folder)
        assert found is not None
        assert (found.root, found.repository.is_offline) == (other.folder.resolve(), True)
        assert found.run("log", "--format=%s").stdout == b"change\n"
        assert b"not allowed" in found.run("fetch", "origin").stderr


def test_a_repository_whose_settings_name_another_working_tree_is_refused(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "site")
    repository.git("config", "core.worktree", str(tmp_path))
    with pytest.raises(SourceError, match=r"core\.worktree"):
        Repositories(repository.folder).find(repository.folder)


def test_without_git_no_folder_is_in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Repositories(repository.folder).find(repository.folder) is None


def test_a_folder_with_a_damaged_git_folder_is_in_the_repository_above(tmp_path: Path) -> None:
    outer = Repository(tmp_path)
    (tmp_path / "site" / ".git").mkdir(parents=True)
    assert in_repository(tmp_path / "site").root == outer.folder.resolve()
    assert subprocess.run(["git", "status"], cwd=tmp_path / "site", capture_output=True).returncode == 0


def test_a_damaged_repository_is_an_error(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "site")
    repository.commit({"docs/b.html": "b"}, 1_700_000_000)
    (repository.folder / ".git" / "config").write_text("[broken")
    with pytest.raises(SourceError, match="git cannot read the repository"):
        Repositories(repository.folder).find(repository.folder)


def test_the_root_of_a_folder_s_repository_is_found(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "site")
    repository.commit({"docs/b.html": "b"}, 1_700_000_000)
    assert in_repository(repository.folder / "docs").root == repository.folder.resolve()
    (tmp_path / "elsewhere").mkdir()
    assert Repositories(tmp_path / "elsewhere").find(tmp_path / "elsewhere") is None


def test_there_is_no_branch_if_head_is_detached(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "site")
    repository.commit({"docs/b.html": "b"}, 1_700_000_000)
    repository.git("switch", "--quiet", "--create", "topic")
    assert in_repository(repository.folder).branch() == "topic"
    repository.git("switch", "--quiet", "--detach")
    assert in_repository(repository.folder).branch() is None


def test_ignored_files_and_folders_are_named(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "site")
    repository.commit({"docs/b.html": "b"}, 1_700_000_000)
    repository.write({".gitignore": "*.log\n/build/\n", "x.log": "", "build/c.html": "", "new.html": ""})
    assert in_repository(repository.folder).ignored() == {"x.log", "build/"}
    repository.write({"build/site/index.html": ""})
    assert in_repository(repository.folder / "build/site").ignored() == {"index.html"}


def test_before_the_first_commit_there_is_only_a_branch(tmp_path: Path) -> None:
    found = in_repository(Repository(tmp_path).folder)
    assert (found.repository.head.commit, found.repository.head.tree, found.branch()) == (None, None, "main")


def test_a_tag_of_the_name_head_hides_no_branch(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    commit = repository.commit({"a.html": "a"}, 1_700_000_000)
    repository.git("update-ref", "refs/tags/HEAD", commit)
    found = in_repository(tmp_path)
    assert (found.repository.head.commit, found.branch()) == (commit, "main")


def test_a_clone_knows_the_branches_of_origin_and_which_is_the_default(tmp_path: Path) -> None:
    origin = Repository(tmp_path / "origin")
    origin.commit({"a.html": "a"}, 1_700_000_000)
    origin.git("branch", "gh-pages")
    origin.git("clone", "--quiet", str(origin.folder), str(tmp_path / "clone"))
    clone, at = Repository(tmp_path / "clone"), in_repository(tmp_path / "clone")
    for command in ("status", "pack-refs --all"):
        clone.git(*command.split())
        subject = origin.git("log", "-1", "--format=%s").strip()
        assert [at.message_in_origin(name) for name in ("main", "gh-pages", "none")] == [subject, subject, None]
        assert at.default_branch() == "main"
    assert in_repository(origin.folder).default_branch() is None
    assert in_repository(origin.folder).message_in_origin("main") is None


def test_each_repository_is_opened_once(tmp_path: Path) -> None:
    Repository(tmp_path).commit({"docs/a.html": "a"}, 1_700_000_000)
    repositories = Repositories(tmp_path)
    first, second = repositories.find(tmp_path), repositories.find(tmp_path / "docs")
    assert first is not None
    assert second is not None
    assert first.repository is second.repository
    assert (first.prefix, second.prefix) == ("", "docs/")


def test_a_setting_without_a_value_and_one_with_several_are_read(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    with (tmp_path / ".git" / "config").open("a") as config:
        config.write('[remote "origin"]\n\tmirror\n\turl = one\n\turl = two\n')
    repository.git("config", "remote.origin.promisor", "true")
    found = in_repository(tmp_path).repository
    assert (found.origin_url, found.promisor_remote) == ("two", "origin")


def test_a_commit_that_is_missing_is_not_fetched_when_a_repository_is_opened(tmp_path: Path) -> None:
    other, mark, program = Repository(tmp_path / "other"), tmp_path / "mark", tmp_path / "upload.sh"
    commit = other.commit({"a.html": "a"}, 1_700_000_000)
    (other.folder / ".git" / "objects" / commit[:2] / commit[2:]).unlink()
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o755)
    for name, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "evil",
        "remote.evil.promisor": "true",
        "remote.evil.url": str(other.folder / ".git"),
        "remote.evil.uploadPack": str(program),
    }.items():
        other.git("config", name, value)
    (tmp_path / "workspace").mkdir()
    with suppress(SourceError):
        Repositories(tmp_path / "workspace").find(other.folder)
    assert not mark.exists()


def test_a_remote_on_github_names_its_repository(repository: Repository) -> None:
    at = in_repository(repository.folder).repository
    for url, name in {
        "https://github.com/o/r": "o/r",
        "https://github.com/o/r.git": "o/r",
        "https://x-access-token:secret@github.com/o/r.git": "o/r",
        "git@github.com:o/o.github.io.git": "o/o.github.io",
        "ssh://git@github.com/o/r": "o/r",
        "https://gitlab.com/o/r": "",
        "https://github.com/o/r/more": "",
        "": "",
    }.items():
        repository.git("config", "remote.origin.url", url)
        at.read_settings_again()
        assert (url, at.github_name) == (url, name)
