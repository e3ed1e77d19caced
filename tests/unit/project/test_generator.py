"""How a generator's site is built, and where it then is."""

from __future__ import annotations

import json
import posixpath
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from waypost.project import find_sites
from waypost.project.generator import Generator, generators
from waypost.project.project_folder import ProjectFolder

if TYPE_CHECKING:
    from sites import Write

GENERATOR = Generator(
    "Example",
    "npx example build",
    ("dist", "output/html"),
    "node",
    ("example.config.js", "example.yml"),
    output_key="outDir",
    script=r"\bexample build\b",
)


@pytest.mark.parametrize(
    ("scripts", "command"),
    [
        ({}, "npx example build"),
        ({"build": "tsc", "test": "example test"}, "npx example build"),
        ({"build": "tsc", "docs:build": "example build docs"}, "npm run docs:build"),
        ({"site": "example build", "build": "npm run css && npm run site"}, "npm run build"),
        ({"build": "example build", "preview": "example build --watch"}, "npm run build"),
    ],
)
def test_the_command_is_the_project_s_own_script_if_one_builds_the_site(
    write: Write, scripts: dict[str, str], command: str
) -> None:
    folder = ProjectFolder(write({"package.json": json.dumps({"scripts": scripts})}))
    assert GENERATOR.build_command(folder) == command


def test_without_a_server_a_script_that_makes_files_alone_goes_before_others(write: Write) -> None:
    nuxt = next(each for each in generators() if each.name == "Nuxt")
    scripts = {"build": "nuxt build", "generate": "nuxt generate"}
    folder = ProjectFolder(write({"package.json": json.dumps({"scripts": scripts})}))
    assert nuxt.build_command(folder) == "npm run generate"
    assert nuxt.build_command(folder, has_server=True) == "npm run build"


@pytest.mark.parametrize(
    ("script", "command"),
    [
        ('cp ../README.md content/\n"${hugo}" --gc\n', "./build.sh"),
        ("docker run klakegg/hugo\n", "./build.sh"),
        ("# hugo builds the site\ncargo build\n", "hugo"),
        ("hugo -d /var/www\n", "hugo"),
        ("cp hugo-theme.css a\n", "hugo"),
        ("", "hugo"),
    ],
    ids=["prepares it", "in a container", "a comment", "elsewhere", "another program", "none"],
)
def test_the_script_beside_the_source_that_runs_the_generator_builds_the_site(
    write: Write, script: str, command: str
) -> None:
    hugo = next(each for each in generators() if each.name == "Hugo")
    assert hugo.build_command(ProjectFolder(write({"build.sh": script}))) == command


@pytest.mark.parametrize(
    ("package", "name", "command", "has_server"),
    [
        (
            '{"dependencies": {"nuxt": "^1.0.0-rc3"}, "scripts": {"a": "nuxt generate", "build": "nuxt build"}}',
            *("Nuxt 2", "npm run a", False),
        ),
        (
            '{"dependencies": {"nuxt-edge": "2.15.8"}, "scripts": {"build": "nuxt build"}}',
            "Nuxt 2",
            "npm run build",
            True,
        ),
        ('{"devDependencies": {"nuxt": "~2.3"}, "scripts": {"a": "nuxt generate"}}', "Nuxt 2", "npm run a", False),
        ('{"dependencies": {"nuxt": "^3.2.1"}, "scripts": {"build": "nuxt build"}}', "Nuxt", "npm run build", True),
        ('{"dependencies": {"nuxt": "4"}}', "Nuxt", "npx nuxt generate", False),
    ],
)
def test_the_first_versions_of_nuxt_make_files_in_a_folder_of_their_own(
    write: Write, package: str, name: str, command: str, *, has_server: bool
) -> None:
    folder = ProjectFolder(write({"nuxt.config.js": "module.exports = {}", "package.json": package}))
    found = next(each for each in generators() if each.config_in(folder))
    is_server = found.has_server(folder, "nuxt.config.js")
    assert (found.name, found.build_command(folder, has_server=is_server), is_server) == (name, command, has_server)
    output = ("static" if is_server else "dist") if name == "Nuxt 2" else ".output/public"
    assert found.output(folder, "nuxt.config.js") == output


@pytest.mark.parametrize(
    ("settings", "command"),
    [
        ('[project]\ndependencies = ["mkdocs>=1"]', "uv run mkdocs build"),
        ('[dependency-groups]\ndocs = ["mkdocs-material"]', "uv run --group docs mkdocs build"),
        ('[dependency-groups]\ndev = ["mkdocs"]\ndocs = ["mkdocs"]', "uv run mkdocs build"),
        ('[project.optional-dependencies]\nweb = ["MkDocs[i18n]"]', "uv run --extra web mkdocs build"),
        ('[dependency-groups]\ndocs = [{include-group = "a"}, "sphinx"]', "uv run mkdocs build"),
        ('[dependency-groups]\n"docs; touch a #" = ["mkdocs"]', "uv run mkdocs build"),
        ("no TOML", "uv run mkdocs build"),
    ],
)
def test_uv_runs_a_generator_in_the_group_that_requires_it(write: Write, settings: str, command: str) -> None:
    folder = ProjectFolder(write({"mkdocs.yml": "site_name: a", "uv.lock": "", "pyproject.toml": settings}))
    (generator,) = (each for each in generators() if each.name == "MkDocs")
    assert generator.build_command(folder) == command


def test_the_script_is_run_by_the_project_s_package_manager(write: Write) -> None:
    package = json.dumps({"scripts": {"build": "example build"}})
    assert GENERATOR.build_command(ProjectFolder(write({"package.json": package, "yarn.lock": ""}))) == "yarn run build"


@pytest.mark.parametrize(
    ("config", "text", "output"),
    [
        ("example.config.js", "export default { outDir: './html', base: '/' }", "html"),
        ("example.config.js", 'export default {\n  outDir: "a/b" }', "a/b"),
        ("example.config.js", "outDir: path.join(root, 'html')", "dist"),
        ("example.config.js", "// outDir: 'html'", "dist"),
        ("example.config.js", "outDir: '.'", "dist"),
        ("example.config.js", "outDir: '/srv/www'", "dist"),
        ("example.config.js", "outDir: '../html'", "../html"),
        ("example.yml", "outdir: html # the site\n", "html"),
        ("example.yml", "# outdir: html\n", "dist"),
        ("example.yml", "title: outDir\n", "dist"),
    ],
)
def test_the_built_site_is_where_the_configuration_says(write: Write, config: str, text: str, output: str) -> None:
    assert GENERATOR.output(ProjectFolder(write({config: text})), config) == output


def test_of_the_usual_folders_the_built_site_is_in_the_one_that_exists(write: Write) -> None:
    assert GENERATOR.output(ProjectFolder(write({"output/html/a.html": ""})), None) == "output/html"
    assert GENERATOR.output(ProjectFolder(write({"dist/a.html": ""})), None) == "dist"


def test_a_configuration_counts_only_if_it_says_what_it_must_beside_another_file(write: Write) -> None:
    careful = Generator("Example", "build", ("out",), "node", ("a.toml",), says=("^x", "^y"), beside="b")
    assert careful.config_in(ProjectFolder(write({"a.toml": "x\ny"}))) is None
    assert careful.config_in(ProjectFolder(write({"a.toml": "x", "b": ""}))) is None
    assert careful.config_in(ProjectFolder(write({"a.toml": "y\nx"}))) == "a.toml"


def test_very_many_scripts_and_long_ones_are_searched_in_part(write: Write) -> None:
    scripts = {f"s{n}": "example build" for n in range(20_000)} | {"build": "x " * 200_000}
    assert (
        GENERATOR.build_command(ProjectFolder(write({"package.json": json.dumps({"scripts": scripts})})))
        == "npm run s0"
    )


@pytest.mark.parametrize(
    ("files", "output"),
    [
        ({"dist/client/index.html": "", "dist/server/entry.mjs": ""}, "dist/client"),
        ({"dist/client/index.html": ""}, "dist/client"),
        ({"dist/client/index.html": "", "dist/index.html": ""}, "dist"),
        ({"dist/server/index.html": ""}, "dist"),
    ],
)
def test_what_a_site_with_a_server_publishes_lies_beside_the_server(
    write: Write, files: dict[str, str | bytes], output: str
) -> None:
    assert GENERATOR.output(ProjectFolder(write(files)), None) == output


@pytest.mark.parametrize(
    "generator", generators(), ids=lambda each: f"{each.name} {(each.configs or each.dependencies)[0]}"
)
def test_a_project_without_settings_of_its_own_is_built_into_the_usual_folder(
    write: Write, generator: Generator
) -> None:
    folder = ProjectFolder(write({}))
    assert generator.config_in(folder) is None
    assert generator.build_command(folder) == generator.command
    assert not generator.output(folder, None).startswith((".", "/")) or generator.output(folder, None).startswith(
        (".vitepress/", ".vuepress/", ".output/", ".next/")
    )


def test_two_generators_with_the_same_file_have_a_condition() -> None:
    for one, other in combinations(generators(), 2):
        if one.base == other.base and set(one.configs) & set(other.configs):
            assert (one.condition, one.says, one.beside) != (other.condition, other.says, other.beside)


def test_a_script_for_developers_builds_no_site_to_publish(write: Write) -> None:
    scripts = '{"scripts": {"debug": "DEBUG=* npx eleventy", "start": "eleventy", "dev:html": "eleventy"%s}}'
    (eleventy,) = (each for each in generators() if each.name == "Eleventy")
    assert eleventy.build_command(ProjectFolder(write({"package.json": scripts % ""}))) == "npx @11ty/eleventy"
    more = ', "prod": "eleventy"'
    assert eleventy.build_command(ProjectFolder(write({"package.json": scripts % more}))) == "npm run prod"


def test_a_package_is_that_of_one_generator() -> None:
    names = [name for generator in generators() for name in generator.dependencies]
    assert len(names) == len(set(names))


def test_the_documentation_names_every_generator() -> None:
    pages = (Path(__file__).parents[3] / "docs" / name for name in ("settings.md", "recipes.md"))
    text = " ".join(" ".join(page.read_text(encoding="utf-8").split()) for page in pages)
    assert [each.name for each in generators() if each.name.removesuffix(" 2") not in text] == []


def test_a_generator_that_a_package_manager_installs_says_what_to_install() -> None:
    assert all(bool(each.package) == (each.toolchain in ("python", "apt")) for each in generators())


def test_a_site_in_a_package_of_its_own_is_built_there(write: Write) -> None:
    files = {"docs/.vitepress/config.ts": "", "docs/package.json": '{"scripts": {"build": "vitepress build"}}'}
    root = write(files)
    assert [each.kind.command for each in find_sites(root) if each.folder == root] == ["npx vitepress build docs"]
    write({"docs/package.json": '{"scripts": {"build": "vitepress build"}, "devDependencies": {"vitepress": "1"}}'})
    (site,) = find_sites(root)
    assert (site.folder, site.kind.command) == (root / "docs", "npm run build")


@pytest.mark.parametrize(
    ("config", "text", "output"),
    [
        ("hugo.toml", 'publishDir = "html"\n', "html"),
        ("hugo.yaml", "publishDir: html\n", "html"),
        ("hugo.json", '{"publishDir": "html"}', "html"),
        ("mkdocs.yml", "site_name: A\nsite_dir: html\n", "html"),
        ("docs/.vitepress/config.ts", "outDir: '../html',", "html"),
        ("astro.config.mjs", "outDir: './html',", "html"),
        (".eleventy.js", 'return { dir: { input: "src", output: "html" } };', "html"),
        ("next.config.js", 'module.exports = { output: "export", distDir: "html" }', "html"),
        ("svelte.config.js", "kit: { adapter: adapter({ pages: 'html' }) }", "html"),
        ("antora-playbook.yml", "ui:\ncontent:\noutput:\n  dir: ./html\n", "html"),
        ("book.toml", '[build]\nbuild-dir = "html"\n', "html"),
        ("book.toml", '[build]\nbuild-dir = "out"\n[output.html]\n[output.linkcheck]\n', "out/html"),
        ("book.toml", "[book]\n[output.html]\n[output.html.print]\n", "book"),
        ("book.toml", "[book]\n[output.html]\n[output.pdf]\n", "book/html"),
        ("pelicanconf.py", "OUTPUT_PATH = 'html/'\n", "html"),
        ("_quarto.yml", "project:\n  type: book\n  output-dir: html\n", "html"),
        ("zola.toml", 'base_url = "/"\noutput_dir = "html"\n[markdown]\n', "html"),
        ("source/conf.py", "extensions = []\n", "build/html"),
        ("src/conf.py", "extensions = []\n", "build/html"),
        ("docs/make.jl", "using Documenter\nmakedocs(\n  sitename = 'a')\n", "docs/build"),
        ("docfx.json", '{\n  "build": {\n    "output": "html"}}', "html"),
        ("Doxyfile", "OUTPUT_DIRECTORY = out/\n", "out/html"),
        ("Doxyfile", "OUTPUT_DIRECTORY = out\nHTML_OUTPUT = pages\n", "out/pages"),
        ("Doxyfile", "OUTPUT_DIRECTORY =\nHTML_OUTPUT = html\n", "html"),
    ],
)
def test_each_generator_s_own_key_names_the_built_folder(write: Write, config: str, text: str, output: str) -> None:
    folder = ProjectFolder(write({config: text, "source/index.rst": "", "src/index.rst": ""}))
    found = [(each, path) for each in generators() if (path := each.config_in(folder))]
    assert [each.output(folder, path) for each, path in found] == [output]


@pytest.mark.parametrize("name", ["config.toml", "conf.py", "book.toml", "_quarto.yml", "mkdocs.yml", "hugo.toml"])
def test_white_space_of_a_configuration_is_read_once(write: Write, name: str) -> None:
    folder = ProjectFolder(write({name: "\n" * 1_000_000, "index.rst": ""}))
    for each in generators():
        assert each.output(folder, each.config_in(folder)) in map(
            posixpath.normpath, (*each.outputs, each.output(folder, None))
        )


@pytest.mark.parametrize(
    ("script", "builds"),
    [
        ("eleventy", True),
        ("eleventy --serve", False),
        ("eleventy --serve\neleventy", True),
        ("eleventy " * 100_000, True),
        ("eleventy " * 100_000 + "--watch", False),
    ],
)
def test_a_script_that_serves_does_not_build(write: Write, script: str, *, builds: bool) -> None:
    eleventy = next(each for each in generators() if each.name == "Eleventy")
    command = eleventy.build_command(ProjectFolder(write({"package.json": json.dumps({"scripts": {"a": script}})})))
    assert (command == "npm run a") is builds
