from pathlib import Path

import pytest

from waypost.core.errors import ConfigurationError
from waypost.github.inputs import input_path, workspace


def test_the_workspace_is_the_runner_s_or_else_the_working_folder(tmp_path: Path) -> None:
    assert workspace({"GITHUB_WORKSPACE": str(tmp_path)}) == tmp_path.resolve()
    assert workspace({}) == Path.cwd().resolve()


def test_a_path_may_lead_outside_only_if_it_is_written_so(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "workspace"
    (root / "site").mkdir(parents=True)
    (root / "inside").symlink_to("site")
    (root / "outside").symlink_to("..")
    assert input_path(root, "source", "inside") == root / "site"
    assert input_path(root, "source", str(tmp_path)) == tmp_path.resolve()
    for path in ("outside", ".git/hooks"):
        with pytest.raises(ConfigurationError, match=r"leads out of the workspace, or lies in \.git"):
            input_path(root, "source", path)
