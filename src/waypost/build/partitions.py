"""Divides a bucket that is too large for one state into partitions: key prefixes, and a remainder.

Each partition has the objects whose keys begin with its prefix and with no longer one of the division; the remainder,
whose prefix is empty, has the rest. Keys in their order form a tree of common prefixes, of which only the open branch
is in memory, so the keys of any bucket can be divided while they are listed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
from msgspec import Struct

from waypost.core.errors import NewerVersionError, StateError

FORMAT, VERSION = "waypost-partitions", 1
_NAME = "part"


class Part(Struct, frozen=True):
    """The part of a bucket that one state has: the keys with a prefix, and with none of the prefixes `inner` to it.

    The remainder has no name and no prefix.
    """

    name: str = ""
    prefix: str = ""
    inner: tuple[str, ...] = ()

    def holds(self, key: str) -> bool:
        """Whether a key belongs to the part."""
        return key.startswith(self.prefix) and not key.startswith(self.inner)


WHOLE = Part()
"""All keys of a bucket that is not divided."""


class Partition(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A key prefix that has a state of its own; until that is built, the state of `parent` has its keys."""

    prefix: str
    parent: str = ""


class Division(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, dict=True):
    """How a bucket is divided. Partitions are only added, at the end, so that each keeps its name."""

    format: str = FORMAT
    version: int = VERSION
    partitions: tuple[Partition, ...] = ()

    @cached_property
    def parts(self) -> Sequence[Part]:
        """All partitions, and the remainder at the end."""
        prefixes = [each.prefix for each in self.partitions]
        named = [_part(f"{_NAME}{n}", prefix, prefixes) for n, prefix in enumerate(prefixes, 1)]
        return [*named, _part("", "", prefixes)]

    def part_of(self, key: str) -> Part:
        """The part to which a key belongs."""
        return next(each for each in self.parts if each.holds(key))

    def below(self, part: Part) -> Iterator[Part]:
        """The partitions whose keys the state of a part has until theirs are built, and those below these, first."""
        for own, each in zip(self.parts, self.partitions, strict=False):
            if each.parent == part.prefix:
                yield from self.below(own)
                yield own

    def with_prefixes(self, part: Part, prefixes: Iterable[str]) -> "Division":
        """The division after one part was divided."""
        known = {each.prefix for each in self.partitions}
        added = (Partition(each, part.prefix) for each in prefixes if each not in known)
        return Division(partitions=(*self.partitions, *added))


def name_of_output(name: str, stem: str) -> str:
    """The name of the partition whose output has this name, `""` for the remainder's and for all other files."""
    found = re.match(rf"{re.escape(stem)}-({_NAME}[0-9]+)[-.]", name)
    return found[1] if found else ""


def dump(division: Division) -> bytes:
    """The file's bytes."""
    return msgspec.json.format(msgspec.json.encode(division), indent=1)


def load(data: bytes, where: str) -> Division:
    """The division; raises StateError if it is damaged."""
    try:
        found = msgspec.json.decode(data, type=Division)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise StateError(f"{where} is damaged ({error}); restore its older version") from None
    if found.version > VERSION:
        raise NewerVersionError(f"{where} has version {found.version}; update Waypost, which knows {VERSION}")
    if found.format != FORMAT or not all(each.prefix for each in found.partitions):
        raise StateError(f"{where} does not name partitions; restore its older version")
    return found


def _part(name: str, prefix: str, prefixes: Iterable[str]) -> Part:
    return Part(name, prefix, tuple(each for each in prefixes if each != prefix and each.startswith(prefix)))


class _Branch(NamedTuple):
    """Keys with a common prefix that are in no partition yet, and how many they are."""

    prefix: str
    size: int


class _Node:
    """A place in the tree where keys part: the length of their common prefix, and the branches below."""

    def __init__(self, depth: int, first: _Branch) -> None:
        self.depth, self.branches = depth, [first]


def divide(keys: Iterable[str], most: int) -> tuple[str, ...]:
    """Prefixes so that no partition of these keys, which are sorted, has more than `most`; the remainder is not named.

    Prefixes end with a folder where they can: `docs/`, else `wiki/A`. One key never is a partition of its own unless
    `most` is smaller than the number of different characters at one place.
    """
    prefixes, open_nodes, last = list[str](), list[_Node](), ""
    for key in keys:
        depth = _shared_length(last, key)
        branch = _closed(open_nodes, depth, prefixes, most)
        if branch or not open_nodes:
            open_nodes.append(_Node(depth, branch or _Branch("", 0)))
        open_nodes.append(_Node(len(key) + 1, _Branch(key, 1)))
        last = key
    _closed(open_nodes, -1, prefixes, most)
    return tuple(sorted(prefixes))


def _closed(open_nodes: list[_Node], depth: int, prefixes: list[str], most: int) -> _Branch | None:
    """Close the nodes that the next key does not continue; returns their branch where no node is open at its depth."""
    branch: _Branch | None = None
    while open_nodes and open_nodes[-1].depth > depth:
        node = open_nodes.pop()
        if branch:
            node.branches.append(branch)
        branch = _reduced(node, prefixes, most)
        if open_nodes and open_nodes[-1].depth >= depth:
            open_nodes[-1].branches.append(branch)
            branch = None
    return branch


def _reduced(node: _Node, prefixes: list[str], most: int) -> _Branch:
    """The branches of a node as one, after the largest of them have become partitions, if all are too many."""
    branches = sorted(node.branches, key=lambda branch: (branch.size, branch.prefix))
    count = sum(branch.size for branch in branches)
    shared = node.branches[0].prefix[: node.depth]
    while count > most and len(branches) > 1:
        largest = branches.pop()
        prefixes.append(_prefix(largest.prefix, len(shared)))
        count -= largest.size
    return _Branch(shared, count)


def _shared_length(first: str, second: str) -> int:
    pairs = zip(first, second, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))


def _prefix(text: str, after: int) -> str:
    """The shortest prefix beyond some characters: up to the end of a folder, else one character more."""
    folder = text.find("/", after)
    return text[: folder + 1] if folder >= 0 else text[: after + 1]
