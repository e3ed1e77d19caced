"""In which order one round writes its files.

After the first wave every sitemap holds all that the manifest lists in it, and still all that was published in it;
after the second one the indexes do. So nothing is lost while the indexes, and then the sitemaps, become exact.
"""

from documents import ROBOTS, Content, Index, Sitemap, joined
from state import Scenario, Write

ARRIVES, INDEX_GAINS, NAMED, INDEX_LOSES, LOSES = 1, 2, 3, 4, 5


def writes(
    scenario: Scenario, name: str, content: Content, published: Content | None, *, is_known: bool, receives: bool
) -> list[Write]:
    """The writes of a file that differs; two if it has to hold the union of before and after meanwhile.

    `is_known` means that `published` is what the manifest before the publisher's own commit says.
    """
    if scenario.keeps("union") and not is_known and type(published) is type(content) and name != ROBOTS:
        union = joined(content, published)
        if union != content:
            first, last = (INDEX_GAINS, INDEX_LOSES) if isinstance(content, Index) else (ARRIVES, LOSES)
            exact = Write((last,), name, content, union)
            return [exact] if union == published else [Write((first,), name, union, published), exact]
        return [Write((INDEX_GAINS if isinstance(content, Index) else ARRIVES,), name, content, published)]
    return [Write(_wave(scenario, name, content, published, receives), name, content, published)]


def _wave(scenario: Scenario, name: str, content: Content, published: Content | None, receives: bool) -> tuple[int, ...]:
    if name == ROBOTS:
        return (NAMED,)
    if isinstance(content, Index):
        return _index_wave(scenario, content, published)
    assert isinstance(content, Sitemap)
    return _sitemap_wave(scenario, content, published, receives)


def _sitemap_wave(scenario: Scenario, content: Sitemap, published: Content | None, receives: bool) -> tuple[int, ...]:
    if not isinstance(published, Sitemap) or content.end > published.end or not scenario.keeps("third wave"):
        return (ARRIVES,)
    if content.end == published.end and (receives or not scenario.keeps("equal range last")):
        return (ARRIVES,)
    return (LOSES, 0 if receives else 1, 0 if scenario.keeps("any order of losing") else -content.start)


def _index_wave(scenario: Scenario, content: Index, published: Content | None) -> tuple[int, ...]:
    if not isinstance(published, Index):
        loses = isinstance(published, Sitemap) and not scenario.keeps("former sitemap gains")
        return (INDEX_LOSES if loses else INDEX_GAINS,)
    return (INDEX_GAINS if content.end >= published.end else INDEX_LOSES,)
