"""Finds what the files of hosts say they publish: the folder, and the commands that build it."""

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from waypost.core.data_files import DataError, load_toml, table_of, text_of
from waypost.project.host_files import WRANGLER, load_jsonc
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import Publication
from waypost.project.shell_commands import typed_in
from waypost.project.workflow_publications import items_of, read_yaml

_GITLAB_FILE, _GITLAB_FOLDER = ".gitlab-ci.yml", "public"
"""GitLab Pages publishes `public`, unless the job `pages` names another (GitLab, "Customize the Pages folder")."""
_MOST_EXTENDED = 11
"""So many jobs may one extend: GitLab reads as many levels of them (docs.gitlab.com/ci/yaml, extends)."""
_MOST_MERGED = 4
"""So many tables may one merge, and so deep, that a hostile file ends soon."""
_READ_THE_DOCS = (".readthedocs.yaml", ".readthedocs.yml", "readthedocs.yml")
READ_THE_DOCS_OUTPUT = "_readthedocs/html"
"""What Read the Docs publishes (docs.readthedocs.com, "Build process customization", `build.commands`)."""
_DOCUMENTATION = ("docs/source", "docs", "doc/source", "doc", ".")
"""Where the configuration of Sphinx or MkDocs usually is."""
_OF_ROOT = (_GITLAB_FILE, "render.yaml", "amplify.yml")
"""The files that their hosts read in the root of the repository alone (each host's reference of its file)."""
_SERVERS = (".next", ".nuxt", ".output", ".svelte-kit")
"""The folders of frameworks with a server, from which a host takes more than files."""
Settings = Mapping[str, Any]


def host_publications(folder: ProjectFolder, below: str) -> Iterator[Publication]:
    """What the files of hosts in one folder publish; `below` is that folder, relative to the root of the repository."""
    for name, (load, read) in _READERS.items():
        is_read = below == "." or name not in _OF_ROOT
        if is_read and folder.has_file(name) and (text := folder.text(name)):
            for found in read(table_of(_loaded(load, text)), below):
                yield replace(found, file=posixpath.normpath(posixpath.join(below, name)))


def host_settings(folder: ProjectFolder, file: str) -> Settings:
    """What the file of a host has, at its path in a folder; nothing if it cannot be read."""
    return table_of(_loaded(_READERS[posixpath.basename(file)][0], folder.text(file)))


def _loaded(load: Callable[[str], object], text: str) -> object:
    try:
        return load(text)
    except DataError:  # the reader of the host's rules reports it
        return {}


def _published(host: str, below: str, folder: object, *commands: object) -> Iterator[Publication]:
    """The publication of a folder, unless that is no text, or is empty; what a server is built into is no folder."""
    if isinstance(folder, str) and posixpath.basename(posixpath.normpath(folder)) in _SERVERS:
        yield Publication("", host, (), _typed(below, commands))
    elif isinstance(folder, str) and folder:
        path = posixpath.join(below, folder.lstrip("/"))  # which begins at the site's own folder all the same
        yield Publication("", host, (posixpath.normpath(path),), _typed(below, commands))


def _typed(below: str, commands: Sequence[object]) -> tuple[str, ...]:
    """The commands that run in a folder as they are typed in the root of the repository."""
    place = posixpath.normpath(below)
    texts = [each for each in commands if isinstance(each, str) and each]
    return tuple(typed_in(place, each) for each in texts)


def _netlify(settings: Settings, below: str) -> Iterator[Publication]:
    build = {**table_of(settings.get("build")), **netlify_production(settings)}
    # A site may have its file in the folder of a package, and its base directory at the root.
    places = (posixpath.join(below, text_of(build, "base")), below, ".")
    found = [each for place in places for each in _published("netlify", place, build.get("publish"))]
    folders = tuple(dict.fromkeys(folder for each in found for folder in each.folders))
    yield Publication("", "netlify", folders, _typed(places[0], [build.get("command")]))


def netlify_production(settings: Settings) -> Settings:
    """What goes before `build` where Netlify builds what it publishes (docs.netlify.com, deploy contexts)."""
    return table_of(table_of(settings.get("context")).get("production"))


def _vercel(settings: Settings, below: str) -> Iterator[Publication]:
    """What Vercel publishes; without a folder in its file, the framework's."""
    command = settings.get("buildCommand")
    found = list(_published("vercel", below, settings.get("outputDirectory"), command))
    yield from found or [Publication("", "vercel", (), _typed(below, [command]))]


def _firebase(settings: Settings, below: str) -> Iterator[Publication]:
    """Each target of the hosting: one, or a list of them."""
    for hosting in map(table_of, items_of(settings, "hosting")):
        site = text_of(hosting, "target") or text_of(hosting, "site")
        found = _published("firebase", below, hosting.get("public"), *items_of(hosting, "predeploy"))
        yield from (replace(each, site=site) for each in found)


def _wrangler(settings: Settings, below: str) -> Iterator[Publication]:
    """A project of Cloudflare Pages, or the assets of a Worker; a Worker without assets publishes no files."""
    command, assets = table_of(settings.get("build")).get("command"), table_of(settings.get("assets"))
    yield from _published("cloudflare-pages", below, settings.get("pages_build_output_dir"), command)
    yield from _published("cloudflare-workers", below, assets.get("directory"), command)


def custom_domains(folder: ProjectFolder) -> Iterator[tuple[str, str]]:
    """The domains of its own that a Worker has by its file, each with that file (Cloudflare, "Custom Domains")."""
    for file in filter(folder.has_file, WRANGLER):
        settings = host_settings(folder, file)
        for route in map(table_of, (settings.get("route"), *items_of(settings, "routes"))):
            if route.get("custom_domain") is True and (domain := text_of(route, "pattern")):
                yield domain, file


def _gitlab(settings: Settings, below: str) -> Iterator[Publication]:
    job = _extended(settings, "pages", {})
    named = text_of(job, "publish") or text_of(table_of(job.get("pages")), "publish")
    artifacts = items_of(table_of(job.get("artifacts")), "paths")
    if named or _GITLAB_FOLDER in (posixpath.normpath(each) for each in artifacts if isinstance(each, str)):
        lines = (line for script in items_of(job, "script") if isinstance(script, str) for line in _lines(script))
        yield from _published("gitlab-pages", below, named or _GITLAB_FOLDER, *lines)


def _extended(settings: Settings, name: str, known: dict[str, Settings]) -> Settings:
    """A job of GitLab's with the values of those that it `extends`, which the later ones and its own override.

    `known` has the jobs that were read before, so that each is read once, also in a circle.
    """
    if name not in known:
        known[name] = {}
        job = _merged(table_of(settings.get(name)))
        above = [each for each in items_of(job, "extends") if isinstance(each, str)]
        values = [_extended(settings, each, known) for each in above[:_MOST_EXTENDED]]
        known[name] = {key: value for each in (*values, job) for key, value in each.items()}
    return known[name]


def _merged(table: Settings, depth: int = _MOST_MERGED) -> Settings:
    """A table of YAML with the values of those that it merges (`<<`), which its own and those of the first override."""
    others = items_of(table, "<<")[:_MOST_MERGED] if depth else ()
    merged = [_merged(table_of(each), depth - 1) for each in reversed(others)]
    return {key: value for each in (*merged, table) for key, value in each.items() if key != "<<"}


def _lines(script: str) -> list[str]:
    return [line.strip() for line in script.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _render(settings: Settings, below: str) -> Iterator[Publication]:
    """Each static site of a blueprint (render.com/docs/blueprint-spec)."""
    for service in map(table_of, items_of(settings, "services")):
        place = posixpath.join(below, text_of(service, "rootDir"))
        yield from _published("render", place, service.get("staticPublishPath"), service.get("buildCommand"))


def _amplify(settings: Settings, below: str) -> Iterator[Publication]:
    """Each application (docs.aws.amazon.com/amplify, "Configuring the build settings"); Amplify has no row of hosts."""
    for application in (settings, *map(table_of, items_of(settings, "applications"))):
        frontend = table_of(application.get("frontend"))
        build = table_of(table_of(frontend.get("phases")).get("build"))
        place = posixpath.join(below, text_of(application, "appRoot"))
        folder = table_of(frontend.get("artifacts")).get("baseDirectory")
        yield from _published("", place, folder, *items_of(build, "commands"))


def _azure(settings: Settings, below: str) -> Iterator[Publication]:
    """Each configuration of the command line of Azure Static Web Apps."""
    for each in map(table_of, table_of(settings.get("configurations")).values()):
        place = posixpath.join(below, text_of(each, "appLocation"))
        command = each.get("appBuildCommand")
        yield from _published("azure-static-web-apps", place, each.get("outputLocation"), command)


def _read_the_docs(settings: Settings, below: str) -> Iterator[Publication]:
    """The source that Read the Docs builds itself, with Sphinx or MkDocs, or by the commands of the file alone.

    If the file names none, it is that of the documentation, wherever it is.
    """
    files = [text_of(table_of(settings.get(tool)), "configuration") for tool in ("sphinx", "mkdocs")]
    folders = [posixpath.dirname(file) for file in files if file]
    commands = _typed(below, items_of(table_of(settings.get("build")), "commands"))
    for folder in folders or (_DOCUMENTATION if "version" in settings else ()):
        yield Publication("", "read-the-docs", (), commands, source=posixpath.normpath(posixpath.join(below, folder)))


_READERS: Mapping[str, tuple[Callable[[str], object], Callable[[Settings, str], Iterator[Publication]]]] = {
    "netlify.toml": (load_toml, _netlify),
    "vercel.json": (load_jsonc, _vercel),
    "firebase.json": (load_jsonc, _firebase),
    **{name: (load_toml if name.endswith(".toml") else load_jsonc, _wrangler) for name in WRANGLER},
    _GITLAB_FILE: (read_yaml, _gitlab),
    "render.yaml": (read_yaml, _render),
    "amplify.yml": (read_yaml, _amplify),
    "swa-cli.config.json": (load_jsonc, _azure),
    **dict.fromkeys(_READ_THE_DOCS, (read_yaml, _read_the_docs)),
}
"""The files of hosts that say what is published, each with its format and its reader."""
