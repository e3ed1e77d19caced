"""The invariants of the protocol: some for every step, one for every end."""

from model.documents import (
    DELETED,
    FOREIGN,
    HTML,
    ROBOTS,
    Content,
    Robots,
    documents,
    listed_urls,
    missing_children,
    roots,
)
from model.state import ACKNOWLEDGED, FIRST_RUN, SLEEP, UNSENT, Scenario, Shared, Step


def broken_by(scenario: Scenario, before: Shared, step: Step) -> str:
    """The invariant that a step breaks, or nothing."""
    after = step.shared
    manifest = after.manifest
    if scenario.has_records and (manifest.record, manifest.pages) not in after.records.present:
        return "invariant 3: the manifest names records that do not exist, or hold other pages"
    if step.is_tampering or before.files == after.files:
        return ""
    has_slept = after.faults[SLEEP] < scenario.sleeps
    return _overwritten(before, after) or ("" if has_slept else _lost(scenario, before, after))


def _lost(scenario: Scenario, before: Shared, after: Shared) -> str:
    """What crawlers miss after a step and had before it."""
    missing = missing_children(after.files) - missing_children(before.files)
    if missing:
        return f"invariant 1: {sorted(missing)} are named and do not exist"
    lost = (listed_urls(before.files) - listed_urls(after.files)) & scenario.always
    if lost:
        return f"invariant 2: URLs {sorted(lost)} are no longer listed"
    deleted = dict(before.files).keys() - dict(after.files).keys()
    if early := sorted(name for name, day in before.former if name in deleted and after.day <= day):
        return f"invariant 5: {early} are deleted on the day on which crawlers have found them"
    return ""


def _overwritten(before: Shared, after: Shared) -> str:
    """Whether an owner's upload is overwritten: the rules of robots.txt, or foreign HTML."""
    robots = dict(after.files).get(ROBOTS)
    if isinstance(robots, Robots) and robots.rules != after.owner_rules:
        return "rule 7: the owner's robots.txt is overwritten"
    if dict(before.files).get(HTML) == FOREIGN != dict(after.files).get(HTML):
        return "foreign HTML is overwritten"
    return ""


def is_quiet(scenario: Scenario, shared: Shared) -> bool:
    """Whether all has happened, and all messages are acknowledged (no process runs then)."""
    return (
        all(
            state == ACKNOWLEDGED or (state == UNSENT and message.kind == "publish")
            for state, message in zip(shared.messages, scenario.messages, strict=True)
        )
        and all(done == len(script) for done, script in zip(shared.scripts, scenario.scripts, strict=True))
        and not shared.late
    )


def wrong_at_the_end(scenario: Scenario, shared: Shared) -> str:
    """What differs from a quiet full build in a quiet state, or nothing."""
    manifest, files = shared.manifest, dict(shared.files)
    robots = files.pop(ROBOTS, None)
    rules = robots.rules if isinstance(robots, Robots) else 0
    wanted = documents(scenario.site, shared.site, shared.config, rules)
    if not wanted:
        return ""
    if wrong := _wrong_files(scenario, files, robots, wanted):
        return f"invariant 4: {wrong} are wrong at the end"
    if manifest.pending:
        return f"invariant 4: {sorted(manifest.pending_names)} are pending at the end"
    if manifest.builder and manifest.builder < FIRST_RUN:
        return "invariant 4: somebody is the builder at the end"
    present = {name for name, content in files.items() if content != DELETED}
    orphans = present - wanted.keys() - {name for name, _ in manifest.unreferenced}
    return f"invariant 4: nothing will delete {sorted(orphans)}" if orphans else ""


def _wrong_files(
    scenario: Scenario, files: dict[str, Content], robots: Content | None, wanted: dict[str, Content]
) -> list[str]:
    wrong = sorted(name for name, content in wanted.items() if files.get(name) != content)
    if files.get(HTML) == FOREIGN and HTML in wrong:
        wrong.remove(HTML)
    if scenario.has_robots and (not isinstance(robots, Robots) or robots.roots != roots(wanted)):
        wrong.append(ROBOTS)
    return wrong
