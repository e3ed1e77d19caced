"""Files with names that several programs use: which of them configure a site generator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.project import generator as configs
from waypost.project.project_folder import ProjectFolder

if TYPE_CHECKING:
    from sites import Write

    from waypost.project.generator import Condition


@pytest.mark.parametrize(
    ("condition", "text", "is_config"),
    [
        (configs.is_hugo_config, "baseurl = 'x'\nTheme = 'y'\n", True),
        (configs.is_hugo_config, "baseURL: x\npublishDir: y\n", True),
        (configs.is_hugo_config, "baseURL = 'x'\ntitle = 'y'\n", False),
        (configs.is_hugo_config, "languageCode = 'en'\n", False),
        (configs.is_zola_config, "base_url = 'x'\nbuild_search_index = true\n", True),
        (configs.is_zola_config, "base_url = 'x'\n", False),
        (configs.is_zola_config, "[markdown]\n", False),
        (configs.is_sphinx_config, "html_theme = 'x'\n", False),
        (configs.is_hexo_config, "", False),
        (configs.has_svelte_kit, "import adapter from '@sveltejs/adapter-static';", True),
        (configs.has_svelte_kit, "export default { preprocess: vitePreprocess() }", False),
    ],
)
def test_a_configuration_is_recognised_by_its_keys(
    write: Write, condition: Condition, text: str, *, is_config: bool
) -> None:
    assert condition(ProjectFolder(write({"a": text})), "a") is is_config


@pytest.mark.parametrize(
    ("condition", "beside"),
    [
        (configs.is_hugo_config, ["content/a.md", "themes/a/b"]),
        (configs.is_hexo_config, ["source/_posts/a.md", "scaffolds/a.md"]),
    ],
)
def test_a_configuration_is_recognised_by_all_that_lies_beside_it(
    write: Write, condition: Condition, beside: list[str]
) -> None:
    folder = ProjectFolder(write(dict.fromkeys(["config", *beside[:-1]], "")))
    assert not condition(folder, "config")
    assert condition(ProjectFolder(write({beside[-1]: ""})), "config")


def test_the_configuration_of_sphinx_lies_beside_its_root_document(write: Write) -> None:
    folder = ProjectFolder(write({"a/conf.py": "extensions: list[str] = []\n", "a/index.md": "", "b/conf.py": ""}))
    assert configs.is_sphinx_config(folder, "a/conf.py")
    assert not configs.is_sphinx_config(folder, "b/conf.py")
