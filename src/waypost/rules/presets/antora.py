"""The sources of Antora's pages."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from waypost.config.generator_presets import SourceMapping
from waypost.rules.presets.config_text import table
from waypost.rules.presets.page_tree import choice, limited, plain
from waypost.sources.project_folder import ProjectFolder

_MOST_SOURCES = 100
_PLAYBOOKS = ("antora-playbook.yml", "antora-playbook.yaml", "site.yml", "playbook.yml")


@dataclass(frozen=True, slots=True)
class _Version:
    """A version of a component, which is in a folder of the project; a component may have one without a name."""

    component: str
    name: str
    folder: str


def antora(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """The pages of the components that the playbook takes from the project's own repository."""
    playbook = table(project, _PLAYBOOKS)
    versions: dict[str, list[_Version]] = defaultdict(list)
    for folder in _start_paths(playbook):
        found = table(project, (posixpath.join(folder, "antora.yml"),))
        if isinstance(found.get("name"), str):
            name = found.get("version")
            version = _Version(plain(found["name"]), "" if name is None or name is True else plain(str(name)), folder)
            versions[version.component].append(version)
    urls = playbook.get("urls")
    segment = urls.get("latest_version_segment") if isinstance(urls, Mapping) else None
    return tuple(row for each in versions.values() for row in _component(each, segment))


def _start_paths(playbook: Mapping[str, Any]) -> Iterator[str]:
    """The folders of components in the playbook's own repository, with no patterns in them."""
    content = playbook.get("content")
    sources = content.get("sources") if isinstance(content, Mapping) else None
    sources = sources if isinstance(sources, list) else []
    limited(len(sources), _MOST_SOURCES)
    for source in sources:
        if isinstance(source, Mapping) and str(source.get("url")) in (".", "./"):
            paths = source.get("start_paths", source.get("start_path", ""))
            paths = paths if isinstance(paths, list) else [path.strip() for path in str(paths).split(",")]
            limited(len(paths), _MOST_SOURCES)
            yield from (posixpath.normpath(plain(str(path)) or ".") for path in paths)


def _component(versions: Sequence[_Version], segment: object) -> Iterator[SourceMapping]:
    for version in versions:
        yield from _pages(version, version.name)
    latest = _latest(versions)
    if latest and isinstance(segment, str):
        yield from _pages(latest, plain(segment))


def _latest(versions: Sequence[_Version]) -> _Version | None:
    """The newest version; None if a name is no number, because another order may decide then."""
    if any(each.name and not re.fullmatch(r"v?\d{1,18}(\.\d{1,18})*", each.name) for each in versions):
        return None
    numbers = {each: tuple(map(int, re.findall(r"\d+", each.name))) for each in versions}
    return max(numbers, key=lambda each: numbers[each])


def _pages(version: _Version, segment: str) -> Iterator[SourceMapping]:
    """Rows for pages in both forms of URLs; pages of the module ROOT are at the component's own path."""
    at = "/".join(part for part in (version.component, segment) if part and part != "ROOT")
    at, folder = f"{at}/" if at else "", "" if version.folder == "." else f"{version.folder}/"
    yield choice(f"{at}index.html", [f"{folder}modules/ROOT/pages/index.adoc"])
    for end in (".html", "/index.html"):
        yield choice(f"{at}{{**path}}{end}", [f"{folder}modules/ROOT/pages/{{**path}}.adoc"])
        yield choice(f"{at}{{module}}/{{**path}}{end}", [f"{folder}modules/{{module}}/pages/{{**path}}.adoc"])
    yield choice(f"{at}{{module}}/index.html", [f"{folder}modules/{{module}}/pages/index.adoc"])
