"""Finds the folders that a project declares as published: in its workflows, its hosts' files, and GitLab's pipeline."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from waypost.core import tree_files
from waypost.core.data_files import DataError, load_toml, load_yaml, table_of, text_of
from waypost.project.host_files import (
    PROJECT_FILES,
    HostContext,
    HostFiles,
    firebase_hosting,
    load_jsonc,
    wrangler,
    wrangler_file,
)
from waypost.project.project_folder import ProjectFolder

_DEPLOY_ACTIONS = {
    "actions/upload-pages-artifact": ("path", "_site"),
    "peaceiris/actions-gh-pages": ("publish_dir", "public"),
    "JamesIves/github-pages-deploy-action": ("folder", ""),
}
"""The actions that deploy a folder to GitHub Pages: the input that names it, and its default (each `action.yml`)."""
_MOST_CHARACTERS = 1 << 20
"""Workflows that deploy and are longer than this together are not read: they take about two seconds."""
_PART_OF_SCRIPT = re.compile(r"(?:if|then|else|elif|fi|for|while|do|done|case|esac)\b|[^\n]*[\\{}]$")
_MOST_TYPED = 200
"""The most characters of a command that somebody would type."""
_GITLAB_FILE, _GITLAB_FOLDER = ".gitlab-ci.yml", "public"
"""GitLab Pages publishes `public`, unless the job `pages` names another (GitLab, "Customize the Pages folder")."""


class DeclaredFolder(NamedTuple):
    """A folder that a file says is published: the file, and the commands in it that build the folder.

    `paths` are where it may be, relative to the project: Netlify's `publish` is read from its `base` and from the root.
    `exists` if it has a file.
    """

    paths: tuple[str, ...]
    file: str
    commands: tuple[str, ...] = ()
    exists: bool = False

    @property
    def command(self) -> str:
        """The commands as they would be typed; empty if there are none, or if they are a script."""
        command = " && ".join(self.commands)
        is_script = any(map(_PART_OF_SCRIPT.match, self.commands)) or not command.isprintable()
        return "" if is_script or len(command) > _MOST_TYPED else command


def declared_folders(project: ProjectFolder) -> Sequence[DeclaredFolder]:
    """What the repository's workflows deploy to GitHub Pages; else what the project's files of hosts say they publish.

    Only folders inside the project; one that has a file has its path alone.
    """
    workflows = project.workflow_texts if (project.root / ".git").exists() else {}
    deploying = {path: text for path, text in workflows.items() if any(name in text for name in _DEPLOY_ACTIONS)}
    is_short = sum(map(len, deploying.values())) <= _MOST_CHARACTERS
    found = [each for path, text in deploying.items() for each in _of_workflow(path, text)] if is_short else []
    if not any(map(_is_inside, found)):
        texts = {name: project.text(name) for name in PROJECT_FILES if project.has_file(name)}
        gitlab = _of_gitlab(project.text(_GITLAB_FILE)) if project.has_file(_GITLAB_FILE) else ()
        found = [*_of_hosts(texts), *gitlab]
    return [_found(each, project) for each in found if _is_inside(each)]


def _found(declared: DeclaredFolder, project: ProjectFolder) -> DeclaredFolder:
    path = next((path for path in declared.paths if _has_file(project, path)), None)
    return declared if path is None else declared._replace(paths=(path,), exists=True)


def _has_file(project: ProjectFolder, path: str) -> bool:
    folder = project.root / path
    is_folder = tree_files.is_folder(folder, project.root)
    return is_folder and any(not name.startswith(".") for name in tree_files.names(folder))


def _is_inside(declared: DeclaredFolder) -> bool:
    return all(path.isprintable() and "$" not in path and not path.startswith(("..", "/")) for path in declared.paths)


def _of_workflow(file: str, text: str) -> Iterator[DeclaredFolder]:
    """What the jobs of a workflow deploy, each with the commands of the steps before it."""
    for job in map(table_of, table_of(_yaml(text).get("jobs")).values()):
        commands = list[str]()
        for step in map(table_of, _list(job, "steps")):
            name, default = _DEPLOY_ACTIONS.get(text_of(step, "uses").partition("@")[0], ("", ""))
            if folder := text_of(table_of(step.get("with")), name).strip() or default:
                yield DeclaredFolder((posixpath.normpath(folder),), file, tuple(commands))
            commands += _lines(text_of(step, "run"))


def _of_hosts(texts: Mapping[str, str]) -> Iterator[DeclaredFolder]:
    """The folders that the files of hosts say they publish, with the commands that they say build them."""
    context = HostContext(HostFiles({}, texts), "", lambda file, problem: None)
    netlify, settings = table_of(context.table("netlify.toml", load_toml).get("build")), wrangler(context)
    hosting, vercel = firebase_hosting(context), context.table("vercel.json", load_jsonc)
    built = table_of(settings.get("build")).get("command")
    tool = wrangler_file(context)
    for file, folder, command in (
        ("netlify.toml", netlify.get("publish"), netlify.get("command")),
        ("firebase.json", hosting.get("public"), hosting.get("predeploy")),
        ("vercel.json", vercel.get("outputDirectory"), vercel.get("buildCommand")),
        (tool, settings.get("pages_build_output_dir"), built),
        (tool, table_of(settings.get("assets")).get("directory"), built),
    ):
        if isinstance(folder, str) and folder:
            base = text_of(netlify, "base") if file == "netlify.toml" else ""
            paths = dict.fromkeys(posixpath.normpath(posixpath.join(above, folder)) for above in (base, ""))
            commands = command if isinstance(command, list) else [command]
            yield DeclaredFolder(tuple(paths), file, tuple(each for each in commands if isinstance(each, str)))


def _of_gitlab(text: str) -> Iterator[DeclaredFolder]:
    """What the job `pages` of GitLab's pipeline publishes."""
    job = table_of(_yaml(text).get("pages"))
    named = text_of(job, "publish") or text_of(table_of(job.get("pages")), "publish")
    paths = (
        posixpath.normpath(each) for each in _list(table_of(job.get("artifacts")), "paths") if isinstance(each, str)
    )
    if named or _GITLAB_FOLDER in paths:
        scripts = (each for each in _list(job, "script") if isinstance(each, str))
        commands = tuple(line for script in scripts for line in _lines(script))
        yield DeclaredFolder((posixpath.normpath(named or _GITLAB_FOLDER),), _GITLAB_FILE, commands)


def _yaml(text: str) -> Mapping[str, Any]:
    """The table of a YAML document, in which all values are texts; empty if it cannot be read."""
    import yaml  # imported late: few projects need it

    try:
        return table_of(
            load_yaml(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        )  # libyaml takes a tenth of the time
    except DataError:
        return {}


def _lines(script: str) -> list[str]:
    return [line.strip() for line in script.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _list(values: Mapping[str, Any], key: str) -> Sequence[object]:
    found = values.get(key)
    return found if isinstance(found, list) else [found]
