"""Divides a bucket that is too large for one state into partitions: key prefixes, and a remainder.

Each partition has the objects whose keys begin with its prefix and with no longer one of the division; the remainder,
whose prefix is empty, has the rest. Keys in their order form a tree of common prefixes, of which only the open branch
is in memory, so the keys of any bucket can be divided while they are listed.
"""

from collections.abc import Iterable
from typing import NamedTuple


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


def partition_of(key: str, prefixes: Iterable[str]) -> str:
    """The prefix of the partition to which a key belongs: the longest with which it begins, `""` of the remainder."""
    return max((prefix for prefix in prefixes if key.startswith(prefix)), key=len, default="")


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
