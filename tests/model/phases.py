"""In which order one round writes its files.

After the first phase every sitemap holds all that the manifest lists in it, and still all that was published in it;
after the second one the indexes do. So nothing is lost while the indexes, and then the sitemaps, become exact.
"""

from model.documents import DELETED, FOREIGN, HTML, ROBOTS, Content, Index, Sitemap, difference
from model.state import Known, Scenario, Write

ARRIVES, INDEX_GAINS, NAMED, INDEX_LOSES, LOSES = 1, 2, 3, 4, 5
LAST_OF_STAGE = (0, ARRIVES, INDEX_LOSES, LOSES)
"""The last phase that the workers of a run, its last step, and its workers again may write."""


def known_write(scenario: Scenario, name: str, target: Content, end: int, known: Known) -> Write:
    """The write of a file that only the publisher's own commit has changed, by the ranges before and after it."""
    is_index = isinstance(target, Index)
    is_losing = type(known.content) is type(target) and end < known.end
    if is_index and isinstance(known.content, Sitemap):
        is_losing = scenario.keeps("former sitemap last")
    return Write(_phase(scenario, name, is_index=is_index, is_losing=is_losing), name, target, known.content)


def unreferenced_write(scenario: Scenario, name: str, target: Content, present: Content | None) -> list[Write]:
    """The write of a file that no published index names, unless it is right."""
    phase = _phase(scenario, name, is_index=isinstance(target, Index), is_losing=False)
    return [] if present == target else [Write(phase, name, target, present)]


def found_writes(
    scenario: Scenario, name: str, target: Content, present: Content | None, *, is_outdated: bool
) -> list[Write]:
    """The writes of a file that was looked at; `is_outdated` if it was published under other settings."""
    is_index = isinstance(target, Index)
    found = difference(target, present) if present is not None and not is_outdated else None
    if found is None or not scenario.keeps("union"):
        is_losing = is_index and isinstance(present, Sitemap) and scenario.keeps("former sitemap last")
        return [Write(_phase(scenario, name, is_index=is_index, is_losing=is_losing), name, target, present)]
    first = _phase(scenario, name, is_index=is_index, is_losing=False)
    last = _phase(scenario, name, is_index=is_index, is_losing=True)
    if found.gains and found.loses:
        return [Write(first, name, found.union, present), Write(last, name, target, found.union)]
    return [Write(last if found.loses else first, name, target, present)]


def _phase(scenario: Scenario, name: str, *, is_index: bool, is_losing: bool) -> int:
    if name in (ROBOTS, HTML):
        return NAMED
    is_last = is_losing and scenario.keeps("third phase")
    if is_index:
        return INDEX_LOSES if is_last else INDEX_GAINS
    return LOSES if is_last else ARRIVES


def is_blocked(name: str, present: Content | None) -> bool:
    """Whether a file of another writer is left: not one for crawlers, which is replaced."""
    return name == HTML and present == FOREIGN


def seen(content: Content | None) -> Content | None:
    """What a writer sees of a published file."""
    return None if content == DELETED else content
