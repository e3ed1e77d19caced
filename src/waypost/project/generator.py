"""A site generator: how the source of its sites is recognised, how they are built, and where the built site is."""

import posixpath
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec

from waypost.core import tree_files
from waypost.project.project_folder import ProjectFolder

Condition = Callable[[ProjectFolder, str], bool]
"""Whether a file with the name of a generator's configuration is one: the folder, and the file's path in it."""
_MODULE = re.compile(r"""<script\b[^>]{0,500}\bsrc=["']?(?:\.?/)?(?:src/|main\.[cm]?[jt]s)""", re.IGNORECASE)
"""A module of the source, with which Vite's own templates begin."""
_SOURCES = ("app", "pages", "src/app", "src/pages")
"""The folders from which frameworks make routes."""
_LONGEST_COMMAND, _MOST_SCRIPTS = 10_000, 50
_BUILD_SCRIPT = "build.sh"
"""The script beside the source that projects which prepare it first name so."""
_FOR_DEVELOPERS = re.compile(r"(?:^|[:-])(?:debug|dev|develop|start|serve|watch|preview|test)\b")
"""The names of scripts that build a site to be looked at, or tested."""
_RUNNERS = {"uv": "uv run ", "poetry": "poetry run "}
Toolchain = Literal["node", "python", "hugo", "mdbook", "zola", "quarto", "apt", "julia", "dotnet"]
"""What a workflow installs, or with what it installs, before it can build; GitHub's runners have the last two."""
_TABLE = Path(__file__).with_name("generators.toml")
_SCRIPT_ENDINGS, _TEXT_ENDINGS = ("js", "ts", "mjs", "mts", "cjs", "cts"), ("toml", "yaml", "yml", "json")


def is_vite_project(folder: ProjectFolder, path: str) -> bool:
    """A configuration of Vite's beside an index, or a package.json that runs Vite without one, beside such an index."""
    if not folder.has_file("index.html"):
        return False
    is_run = any(re.search(r"\bvite build\b", script) for script in folder.scripts.values())
    return path != "package.json" or (is_run and bool(_MODULE.search(folder.text("index.html"))))


def is_hugo_config(folder: ProjectFolder, path: str) -> bool:
    """A configuration with two of Hugo's keys, or beside Hugo's folders."""
    if folder.has_folder("content") and any(map(folder.has_folder, ("archetypes", "layouts", "themes"))):
        return True
    own_key = "languageCode|theme|publishDir|enableRobotsTXT|enableGitInfo|defaultContentLanguage|disqusShortname"
    return folder.matches(path, r"""^[ \t]*["']?baseURL["']?\s*[:=]""", rf"""^[ \t]*["']?({own_key})["']?\s*[:=]""")


def is_zola_config(folder: ProjectFolder, path: str) -> bool:
    """A configuration with the key that Zola requires, and another of its keys or its folder."""
    if not folder.matches(path, r"^base_url\s*="):
        return False
    own_key = r"^(\[markdown\]|(compile_sass|build_search_index|generate_feeds?)\s*=)"
    return folder.has_folder("content") or folder.matches(path, own_key)


def is_sphinx_config(folder: ProjectFolder, path: str) -> bool:
    """A configuration with a key of Sphinx, beside the document at the root of its contents."""
    beside = posixpath.dirname(path)
    indexes = (posixpath.join(beside, f"index.{ending}") for ending in ("rst", "md", "txt"))
    return folder.matches(path, r"^[ \t]*(extensions|html_theme)\s*(:.*)?=") and any(map(folder.has_file, indexes))


def is_hexo_config(folder: ProjectFolder, path: str) -> bool:
    """A configuration beside Hexo's folders, or in a project that depends on Hexo."""
    del path
    has_folders = folder.has_folder("source/_posts") and folder.has_folder("scaffolds")
    return has_folders or "hexo" in folder.dependencies


def has_svelte_kit(folder: ProjectFolder, path: str) -> bool:
    """A configuration of SvelteKit: one of Svelte alone builds no site."""
    return "@sveltejs/kit" in folder.dependencies or folder.matches(path, r"\bkit\s*:|@sveltejs/adapter")


def is_nuxt_2(folder: ProjectFolder, path: str) -> bool:
    """A configuration of Nuxt 1 or 2, whose commands, folders and hooks are not those of later versions."""
    del path
    return folder.matches("package.json", r'"nuxt(?:-edge)?"\s*:\s*"[\^~>=v ]*[12]\.')


CONDITIONS: Mapping[str, Condition] = {
    "vite": is_vite_project,
    "hugo": is_hugo_config,
    "zola": is_zola_config,
    "sphinx": is_sphinx_config,
    "hexo": is_hexo_config,
    "svelte-kit": has_svelte_kit,
    "nuxt-2": is_nuxt_2,
}
"""The rules that a row of `generators.toml` may name."""


@dataclass(frozen=True, slots=True)
class Generator:
    """A site generator, and where its files are in a project: a row of `generators.toml`, which says what each is.

    `configs` are all names that its configuration may have.
    """

    name: str
    command: str
    outputs: tuple[str, ...]
    toolchain: Toolchain
    configs: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    beside: str = ""
    condition: str = ""
    dependencies: tuple[str, ...] = ()
    output_key: str = ""
    below_key: str = ""
    below: str = ""
    below_if: str = ""
    script: str = ""
    package: str = ""
    base: str = ""
    adapters: Mapping[str, str] = field(default_factory=dict)
    rendered_in: str = ""
    rendered: Mapping[str, str] = field(default_factory=dict)
    rendered_output: str = ""
    static: str = ""
    servers: tuple[str, ...] = ()
    server_script: str = ""
    static_script: str = ""
    hook: str = ""
    hook_files: tuple[str, ...] = ()
    plugin: str = ""
    is_application: bool = False

    def config_in(self, folder: ProjectFolder) -> str | None:
        """The path of the generator's configuration in a folder, or None; that of a package below is no other's."""
        is_below = bool(self.base) and folder.has_folder(self.base)
        if is_below and self.dependency_of(ProjectFolder(folder.root / self.base)):
            return None
        paths = (posixpath.join(self.base, name) for name in self.configs)
        return next((path for path in paths if folder.has_file(path) and self._is_config(folder, path)), None)

    def _is_config(self, folder: ProjectFolder, path: str) -> bool:
        """Whether a file with the name of the configuration is that of this generator."""
        if self.says and not folder.matches(path, *self.says):
            return False
        if self.beside and not folder.has_file(posixpath.join(posixpath.dirname(path), self.beside)):
            return False
        return not self.condition or CONDITIONS[self.condition](folder, path)

    def dependency_of(self, folder: ProjectFolder) -> str | None:
        """The first of the generator's packages that package.json names, or None."""
        return next((name for name in self.dependencies if name in folder.dependencies), None)

    def build_command(self, folder: ProjectFolder, *, has_server: bool = False) -> str:
        """The command that builds the site: a script of package.json that runs the generator, or its own command.

        Without a server, a script that makes files alone goes before others.
        """
        scripts = {name: text for name, text in folder.scripts.items() if re.fullmatch(r"[\w:./-]+", name)}
        runs = [name for name, text in scripts.items() if self.script and re.search(self.script, text)]
        runs = [name for name in runs if not _FOR_DEVELOPERS.search(name)]
        if self.static_script and not has_server:
            runs = [name for name in runs if re.search(self.static_script, scripts[name])] or runs
        if not runs and self._is_run_by(folder.text(_BUILD_SCRIPT)):
            return f"./{_BUILD_SCRIPT}"
        if not runs:
            return self._runner(folder) + self.command
        build = scripts.get("build", "")[:_LONGEST_COMMAND]
        is_part_of_build = any(re.search(rf"\b{re.escape(name)}\b", build) for name in runs[:_MOST_SCRIPTS])
        return f"{folder.package_manager} run {'build' if 'build' in runs or is_part_of_build else runs[0]}"

    def _runner(self, folder: ProjectFolder) -> str:
        """What runs a program of Python's in the project's environment, with the group that has the generator, by uv.

        Uv installs the group `dev` alone by default (docs.astral.sh/uv, "Managing dependencies").
        """
        manager = folder.python_manager if self.toolchain == "python" else ""
        groups = folder.python_groups(self.name.lower()) if manager == "uv" else ()
        options = "".join(f"{option} {name} " for option, name in islice(groups, 1))
        return _RUNNERS.get(manager, "") + options

    def _is_run_by(self, script: str) -> bool:
        """Whether a script of a shell runs the generator, into the folder that it usually builds."""
        program = re.sub(r"^npx (?:@\w+/)?", "", self.command).partition(" ")[0]
        text = re.sub(r"^[ \t]*#.*$", "", script, flags=re.MULTILINE)
        is_run = re.search(rf"(?<![\w.-]){re.escape(program)}(?![\w-])", text)
        return bool(is_run) and not re.search(r" (?:-d|--destination|--site-dir|--output-dir)[ =]", text)

    def has_server(self, folder: ProjectFolder, config: str | None) -> bool:
        """Whether the build leaves a server, and not files alone, by the configuration and by what is built."""
        texts = [folder.text(config or "package.json"), *folder.scripts.values()]
        is_static = bool(self.static) and any(re.search(self.static, text, re.MULTILINE) for text in texts)
        is_run = bool(self.server_script) and any(re.search(self.server_script, text) for text in texts)
        has_package = not folder.dependencies.isdisjoint(self.servers)
        is_rendered = bool(self.rendered) and not any(map(folder.has_folder, self.outputs))
        above = {*map(posixpath.dirname, (*self.outputs, *self.adapters.values()))}
        is_built = any(folder.has_folder(f"{path}/server") for path in above - {""})
        return not is_static and (is_run or has_package or is_rendered or is_built)

    def rendered_folders(self, folder: ProjectFolder, config: str | None) -> Sequence[str]:
        """The folders with the pages that the build of a site with a server renders, or else the first of these."""
        above = self._configured(folder, config) or self.rendered_in
        tops = {path: tree_files.names(folder.root / path) for path in _SOURCES if folder.has_folder(path)}
        paths = [f"{top}/{name}" for top, names in tops.items() for name in names]
        used = [name for name, pattern in self.rendered.items() if any(re.search(pattern, path) for path in paths)]
        return [posixpath.join(above, name) for name in used or [*self.rendered][:1]]

    def _configured(self, folder: ProjectFolder, config: str | None) -> str | None:
        if not (config and self.output_key):
            return None
        named = _configured_folder(folder.text(config), self.output_key, config)
        if named is None or not self.below or self.below_if:
            return named
        return posixpath.join(named, _configured_folder(folder.text(config), self.below_key, config) or self.below)

    def output(self, folder: ProjectFolder, config: str | None) -> str:
        """The folder with the built site, relative to the project: as configured, or one that exists, or the usual.

        Of a site with a server, what is published lies in `client` beside the server's own `server`; an adapter for a
        service moves the server elsewhere, and `client` has the only home page.
        """
        named = self._configured(folder, config)
        of_adapter = [path for package, path in self.adapters.items() if package in folder.dependencies]
        outputs = [*of_adapter, *([named] if named else self.outputs)]
        if self.rendered and self.has_server(folder, config):
            outputs = [*self.rendered_folders(folder, config)]
        is_below = bool(config and self.below_if and re.search(self.below_if, folder.text(config), re.MULTILINE))
        below = self.below if is_below else ""
        paths = [posixpath.normpath(posixpath.join(self.base, name, below)) for name in outputs]
        built = next((path for path in paths if folder.has_folder(path)), paths[0])
        has_home = folder.has_file(f"{built}/client/index.html") and not folder.has_file(f"{built}/index.html")
        has_server = all(folder.has_folder(f"{built}/{name}") for name in ("client", "server"))
        return f"{built}/client" if has_server or has_home else built

    def possible_outputs(self) -> Sequence[str]:
        """The folders, relative to the project, into which the site may be built."""
        paths = (*self.outputs, *self.adapters.values())
        return [posixpath.normpath(posixpath.join(self.base, path)) for path in paths]


@cache
def generators() -> Sequence[Generator]:
    """The generators, in the order in which they are tried."""
    rows = tomllib.loads(_TABLE.read_text(encoding="utf-8"))["generator"]
    return [msgspec.convert({**row, "configs": [*_configs(row)]}, Generator) for row in rows]


def is_application(name: str) -> bool:
    """Whether what a generator builds is an application, whose routes are often no files."""
    return any(each.is_application for each in generators() if each.name == name)


def command_without_server(name: str, folder: ProjectFolder) -> str:
    """The command by which a generator builds a site for a host that publishes nothing but files."""
    return next(each.build_command(folder) for each in generators() if each.name == name)


def possible_outputs(name: str) -> Sequence[str]:
    """The folders, relative to a project, into which a generator may build its site."""
    return [path for each in generators() if each.name == name for path in each.possible_outputs()]


def plugin_of(name: str) -> str:
    """What to add to the configuration of a generator so that it makes the sitemaps itself; empty if it cannot."""
    return next((each.plugin for each in generators() if each.name == name), "")


def _configs(row: Mapping[str, Any]) -> Iterator[str]:
    for name, endings in (("scripts", _SCRIPT_ENDINGS), ("texts", _TEXT_ENDINGS)):
        yield from (f"{stem}.{ending}" for stem in row.get(name, ()) for ending in endings)
    yield from row.get("configs", ())


def _configured_folder(text: str, key: str, config: str) -> str | None:
    """The relative folder that a configuration names; without quotes only where text needs none, as in YAML."""
    quotes = "[\"']?" if config.endswith((".yml", ".yaml", "Doxyfile")) else "[\"']"
    line = rf"^(?![ \t]*(?://|\*))[^#\n]*?\b{key}[\"']?\s*[:=]\s*({quotes})(?P<path>[\w.-][\w./-]*)\1\s*(?:[,;}}#)]|$)"
    found = re.search(line, text, re.MULTILINE | re.IGNORECASE)
    path = posixpath.normpath(found["path"]) if found else "."
    return None if path == "." else path
