"""A site generator: how the source of its sites is recognised, how they are built, and where the built site is."""

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from waypost.sources.project_folder import ProjectFolder

_LONGEST_COMMAND, _MOST_SCRIPTS = 10_000, 50
_RUNNERS = {"uv": "uv run ", "poetry": "poetry run "}
Toolchain = Literal["node", "python", "hugo", "mdbook", "zola", "quarto", "apt"]
"""What a workflow installs before it can build."""
Condition = Callable[[ProjectFolder, str], bool]
"""Whether a file with the name of a generator's configuration is one: the folder, and the file's path in it."""


def _always(folder: ProjectFolder, path: str) -> bool:
    return folder.has_file(path)


@dataclass(frozen=True, slots=True)
class Generator:
    """A site generator, and where its files are in a project.

    `configs` are the names that its configuration may have, and `dependencies` its packages in package.json. `command`
    builds the site into one of `outputs`, or into the folder that the configuration names by `output_key`. `script` is
    a pattern of the scripts in package.json that build the site. `package` is what pip or apt-get installs. `configs`
    and `outputs` are relative to the project's folder `base`.
    """

    name: str
    configs: tuple[str, ...]
    command: str
    outputs: tuple[str, ...]
    toolchain: Toolchain
    condition: Condition = _always
    dependencies: tuple[str, ...] = ()
    output_key: str = ""
    script: str = ""
    package: str = ""
    base: str = ""

    def config_in(self, folder: ProjectFolder) -> str | None:
        """The path of the generator's configuration in a folder, or None."""
        paths = (posixpath.join(self.base, name) for name in self.configs)
        return next((path for path in paths if folder.has_file(path) and self.condition(folder, path)), None)

    def dependency_of(self, folder: ProjectFolder) -> str | None:
        """The first of the generator's packages that package.json names, or None."""
        return next((name for name in self.dependencies if name in folder.dependencies), None)

    def build_command(self, folder: ProjectFolder) -> str:
        """The command that builds the site: a script of package.json that runs the generator, or its own command."""
        scripts = {name: text for name, text in folder.scripts.items() if re.fullmatch(r"[\w:./-]+", name)}
        runs = [name for name, text in scripts.items() if self.script and re.search(self.script, text)]
        if not runs:
            runner = _RUNNERS.get(folder.python_manager, "") if self.toolchain == "python" else ""
            return runner + self.command
        build = scripts.get("build", "")[:_LONGEST_COMMAND]
        is_part_of_build = any(re.search(rf"\b{re.escape(name)}\b", build) for name in runs[:_MOST_SCRIPTS])
        return f"{folder.package_manager} run {'build' if 'build' in runs or is_part_of_build else runs[0]}"

    def output(self, folder: ProjectFolder, config: str | None) -> str:
        """The folder with the built site, relative to the project: as configured, or one that exists, or the usual.

        Of a site with a server, what is published lies in `client` beside the server's own `server`; an adapter for a
        service moves the server elsewhere, and `client` has the only home page.
        """
        named = _configured_folder(folder.text(config), self.output_key, config) if config and self.output_key else None
        paths = [posixpath.normpath(posixpath.join(self.base, name)) for name in ([named] if named else self.outputs)]
        built = next((path for path in paths if folder.has_folder(path)), paths[0])
        has_home = folder.has_file(f"{built}/client/index.html") and not folder.has_file(f"{built}/index.html")
        has_server = all(folder.has_folder(f"{built}/{name}") for name in ("client", "server"))
        return f"{built}/client" if has_server or has_home else built


def _configured_folder(text: str, key: str, config: str) -> str | None:
    """The relative folder that a configuration names; without quotes only in YAML, where text needs none."""
    quotes = "[\"']?" if config.endswith((".yml", ".yaml")) else "[\"']"
    line = rf"^(?![ \t]*(?://|\*))[^#\n]*?\b{key}[\"']?\s*[:=]\s*({quotes})(?P<path>[\w.-][\w./-]*)\1\s*(?:[,;}}#)]|$)"
    found = re.search(line, text, re.MULTILINE | re.IGNORECASE)
    path = posixpath.normpath(found["path"]) if found else "."
    return None if path == "." else path
