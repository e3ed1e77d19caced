"""The program of a build: changed settings or rules of robots.txt, portion by portion."""

from collections.abc import Callable

from documents import ROBOTS, Robots
from ledger import ended, files_of
from requests import NO_NAMES, head, replace_manifest
from state import EXPIRED, NOBODY, Manifest, Scenario, Shared, Step, Writer


def next_with_other_settings(scenario: Scenario, shared: Shared, writer: Writer, view: Manifest) -> str:
    """What follows if the manifest was made with other settings than the process has."""
    if writer.saw_settings_before and scenario.keeps("settings since"):
        return "fail"
    if view.is_building and shared.builder_lease != EXPIRED and view.builder != writer.owner:
        return "fail"
    return "find_rules"


def next_during_build(shared: Shared, writer: Writer, view: Manifest) -> str:
    """What follows if a build with the process's settings is in progress."""
    if view.builder == writer.owner:
        return "list"
    if shared.builder_lease == EXPIRED:
        return "look" if writer.kind == "pages" else "find_rules"
    if writer.kind == "robots":
        return "robots"
    if writer.kind in ("rebuild", "publish", "continue"):
        return "fail"
    return "look" if writer.kind == "pages" else "acknowledge"


def commit_during_build(shared: Shared, writer: Writer, view: Manifest) -> list[Step]:
    """Replace the manifest, also if nothing changed; what the build has not reached it will find itself."""
    found = {page: version for page, version in writer.seen if page < view.position}
    pages = tuple(found.get(page, version) for page, version in enumerate(view.pages))
    kind = "continue" if shared.builder_lease == EXPIRED else writer.kind
    then = writer._replace(at="recheck", kind=kind, names=NO_NAMES, unsure=False)
    again = writer._replace(at="read", view=None, fresh=False, seen=(), names=NO_NAMES, unsure=True)
    after = view._replace(pages=pages, last=NOBODY)
    return replace_manifest(shared, writer, after, NO_NAMES, f"{writer.owner} commits during a build", then, again)


def find_rules(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Read the rules of robots.txt before the build begins."""
    return [Step(f"{writer.owner} reads robots.txt", shared, writer._replace(at="begin", rules=present_rules(shared)))]


def present_rules(shared: Shared) -> int:
    """The owner's rules in robots.txt; 0 if there is none."""
    robots = head(shared, ROBOTS)
    return robots.rules if isinstance(robots, Robots) else 0


def begin(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Take the builder's role, and begin, or continue the build of a process that died."""
    view = writer.view
    assert view
    after = view._replace(builder=writer.owner, last=NOBODY)
    if view.publisher == writer.owner:
        after = after._replace(publisher=NOBODY)
    if not (view.is_building and (view.config, view.rules) == (writer.config, writer.rules)):
        previous = view.previous if view.is_building else (*files_of(scenario, view), *sorted(view.pending_names))
        after = after._replace(
            pages=(0,) * len(view.pages),
            config=writer.config,
            rules=writer.rules,
            position=0,
            previous=tuple(sorted(set(previous) - {ROBOTS})),
        )
    then = writer._replace(at="list", saw_settings_before=False, unsure=False)
    label = f"{writer.owner} begins to build with settings {writer.config}, rules {writer.rules}"
    return replace_manifest(shared, writer, after, NO_NAMES, label, then, _again(writer))


def _again(writer: Writer) -> Writer:
    return writer._replace(at="read", view=None, fresh=False, seen=(), names=NO_NAMES, unsure=True)


def list_pages(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """List the next portion of the pages."""
    view = writer.view
    assert view
    stop = _stop(scenario, view)
    seen = tuple((page, shared.site[page]) for page in range(view.position, stop))
    is_last = stop == len(view.pages)
    at = "find_rules_again" if is_last and scenario.has_robots and scenario.keeps("rules before") else "portion"
    label = f"{writer.owner} lists from {view.position}"
    return [Step(label, shared, writer._replace(at=at, seen=seen, rules=view.rules))]


def _stop(scenario: Scenario, view: Manifest) -> int:
    size = -(-len(view.pages) // scenario.chunks)
    return min(view.position + size, len(view.pages))


def find_rules_again(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Read robots.txt before the last commit; with other rules, the build begins again."""
    rules = present_rules(shared)
    label = f"{writer.owner} reads robots.txt again"
    if rules != writer.rules:
        return [Step(f"{label}: changed", shared, writer._replace(at="begin", seen=(), rules=rules))]
    return [Step(label, shared, writer._replace(at="portion"))]


def portion(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Commit a portion; with the last one the build ends, and all files are pending."""
    view = writer.view
    assert view
    found = dict(writer.seen)
    pages = tuple(found.get(page, version) for page, version in enumerate(view.pages))
    stop = _stop(scenario, view)
    if stop < len(pages):
        after = view._replace(pages=pages, position=stop, last=NOBODY)
        then = writer._replace(at="list", seen=())
        return replace_manifest(shared, writer, after, NO_NAMES, f"{writer.owner} records a portion", then, _again(writer))
    after, added = ended(scenario, view, pages, shared.day)
    is_free = view.publisher in (NOBODY, writer.owner) or shared.lease == EXPIRED
    takes = is_free and bool(added)
    at = "find_rules_after" if scenario.has_robots and scenario.keeps("rules after") else "recheck"
    then = writer._replace(at=at, seen=(), names=added, countable=added if takes else NO_NAMES, rules=view.rules)
    label = f"{writer.owner} ends the build"
    return replace_manifest(shared, writer, after, added, label, then, _again(writer), takes=takes)


def find_rules_after(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Read robots.txt after the last commit; with other rules, another build begins."""
    label = f"{writer.owner} reads robots.txt after the build"
    if present_rules(shared) == writer.rules:
        return [Step(label, shared, writer._replace(at="recheck"))]
    again = _again(writer)._replace(kind="robots", unsure=False, countable=NO_NAMES)
    return [Step(f"{label}: changed", shared, again)]


PROGRAM: dict[str, Callable[[Scenario, Shared, Writer], list[Step]]] = {
    "find_rules": find_rules,
    "begin": begin,
    "list": list_pages,
    "find_rules_again": find_rules_again,
    "portion": portion,
    "find_rules_after": find_rules_after,
}
