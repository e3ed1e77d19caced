"""The program of a build: changed settings or rules of robots.txt, portion by portion."""

from collections.abc import Callable

from model.documents import ROBOTS
from model.ledger import ended, files_of, present_rules
from model.publishing import again
from model.requests import replace_manifest
from model.state import (
    EXPIRED,
    NO_NAMES,
    NOBODY,
    Manifest,
    Replacement,
    Scenario,
    Shared,
    Step,
    Writer,
)


def next_with_other_settings(scenario: Scenario, shared: Shared, writer: Writer, view: Manifest) -> str:
    """What follows if the manifest was made with other settings than the process has."""
    if writer.kind == "run":
        return "fail"
    order = shared.order
    if scenario.keeps("config_since") and order.index(writer.owner) < order.index(0):
        return "fail"
    if view.builder not in (NOBODY, writer.owner) and shared.builder_lease != EXPIRED:
        return "fail"
    return "find_rules"


def next_during_build(scenario: Scenario, shared: Shared, writer: Writer, view: Manifest) -> str:
    """What follows if a build with the process's settings is in progress."""
    if view.builder == writer.owner:
        return "list"
    if writer.kind == "run":
        return "fail"
    if shared.builder_lease == EXPIRED:
        return "find_rules"
    if writer.kind in ("pages", "output"):
        return "look"
    if writer.kind == "robots":
        return "robots"
    return "fail" if scenario.keeps("messages wait for builds") else "acknowledge"


def commit_during_build(scenario: Scenario, shared: Shared, writer: Writer, view: Manifest) -> list[Step]:
    """Replace the manifest, also if nothing changed; what the build has not reached it will find itself."""
    found = {page: version for page, version in writer.seen if page < view.position}
    pages = tuple(found.get(page, version) for page, version in enumerate(view.pages))
    changed = tuple(each for each in found.items() if view.pages[each[0]] != each[1])
    then = writer._replace(at="recheck", seen=changed, wrong=NO_NAMES)
    if pages == view.pages and not writer.unsure and not scenario.keeps("updates replace in builds"):
        return [Step(f"{writer.owner} finds nothing changed during a build", shared, then)]
    what = Replacement(view._replace(pages=pages, last=NOBODY))
    label = f"{writer.owner} commits during a build"
    return replace_manifest(scenario, shared, writer, what, label, then._replace(unsure=False), again(writer))


def find_rules(_scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Read the rules of robots.txt before the build begins."""
    then = writer._replace(at="begin", rules=present_rules(shared))
    return [Step(f"{writer.owner} reads robots.txt", shared, then)]


def begin(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Take the builder's lease, and begin, or continue the build of a process that died."""
    view = writer.view
    assert view
    after = view._replace(builder=writer.owner, is_run=False, deferred=(), last=NOBODY)
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
    continues = after.position == view.position and view.builder != writer.owner
    owes = continues and writer.kind in ("pages", "output") and scenario.keeps("own keys")
    then = writer._replace(at="list", unsure=False, owes_keys=writer.owes_keys or owes)
    label = f"{writer.owner} begins to build with settings {writer.config}, rules {writer.rules}"
    what = Replacement(after, confirms=True)
    return replace_manifest(scenario, shared, writer, what, label, then, again(writer))


def list_pages(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """List the next portion of the pages."""
    view = writer.view
    assert view
    stop = _stop(scenario, view)
    seen = tuple((page, shared.site[page]) for page in range(view.position, stop))
    at = "check_build" if stop == len(view.pages) and scenario.has_robots else "portion"
    label = f"{writer.owner} lists from {view.position}"
    return [Step(label, shared, writer._replace(at=at, seen=seen, rules=view.rules))]


def _stop(scenario: Scenario, view: Manifest) -> int:
    size = -(-len(view.pages) // scenario.chunks)
    return min(view.position + size, len(view.pages))


def check_build(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Before the last commit read robots.txt again; with other rules begin again."""
    rules = present_rules(shared)
    label = f"{writer.owner} reads robots.txt before the last commit"
    if scenario.keeps("rules again") and rules != writer.rules:
        return [Step(f"{label}: other rules", shared, writer._replace(at="begin", seen=(), rules=rules))]
    return [Step(label, shared, writer._replace(at="portion"))]


def _with_portion(view: Manifest, writer: Writer) -> tuple[int, ...]:
    found = dict(writer.seen)
    return tuple(found.get(page, version) for page, version in enumerate(view.pages))


def portion(scenario: Scenario, shared: Shared, writer: Writer) -> list[Step]:
    """Commit a portion; with the last one the build ends."""
    view = writer.view
    assert view
    pages, stop = _with_portion(view, writer), _stop(scenario, view)
    if stop < len(pages):
        what = Replacement(view._replace(pages=pages, position=stop, last=NOBODY))
        then = writer._replace(at="list", seen=())
        return replace_manifest(
            scenario, shared, writer, what, f"{writer.owner} records a portion", then, again(writer)
        )
    after, added, _ = ended(scenario, view, pages)
    takes = (view.publisher in (NOBODY, writer.owner) or shared.lease == EXPIRED) and bool(added)
    countable = added if takes else NO_NAMES
    then = writer._replace(at="recheck", seen=(), wrong=NO_NAMES, awaited=added, countable=countable, rules=view.rules)
    what = Replacement(after, added, takes)
    return replace_manifest(scenario, shared, writer, what, f"{writer.owner} ends the build", then, again(writer))


PROGRAM: dict[str, Callable[[Scenario, Shared, Writer], list[Step]]] = {
    "find_rules": find_rules,
    "begin": begin,
    "list": list_pages,
    "check_build": check_build,
    "portion": portion,
}
