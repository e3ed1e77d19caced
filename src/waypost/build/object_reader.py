"""Reads what objects are now, several at once."""

from collections.abc import Iterable, Mapping, Sequence

from waypost.config.schema import Site
from waypost.core import concurrency
from waypost.core.errors import BusyError
from waypost.core.model import Item
from waypost.core.retry import ONE_ATTEMPT, Retry
from waypost.rules import page_facts
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sources.base import ItemChangedError, ObjectSource
from waypost.sources.one_at_a_time import OneAtATime

Snapshots = Mapping[str, ObjectSnapshot | None]
"""What objects are now, by key; None means an object that is gone."""


def read_objects(
    source: ObjectSource,
    site: Site,
    items: Iterable[Item],
    *,
    raise_when_busy: bool = False,
    retry: Retry = ONE_ATTEMPT,
) -> tuple[dict[str, ObjectSnapshot | None], dict[str, str]]:
    """The snapshots of these objects, and for objects that could not be read the error.

    Only reads that may succeed later are repeated. With `raise_when_busy`, a source that still throttles or times out
    raises BusyError: that says nothing of its objects.
    """
    answers = _read_repeatedly(source, site, list(items), retry)
    busy = {key: each for key, each in answers.items() if isinstance(each, TimeoutError)}
    if raise_when_busy and busy:
        key, error = next(iter(busy.items()))
        raise BusyError(f"{key} cannot be read now: {error.strerror}") from error
    snapshots = {key: each for key, each in answers.items() if not isinstance(each, OSError)}
    failed = {key: each.strerror or str(each) for key, each in answers.items() if isinstance(each, OSError)}
    return snapshots, failed


def _read_repeatedly(
    source: ObjectSource, site: Site, items: Sequence[Item], retry: Retry
) -> dict[str, ObjectSnapshot | OSError | None]:
    """What is known of each object after the last attempt."""
    one_at_a_time = OneAtATime(source)

    def read(item: Item) -> ObjectSnapshot | OSError | None:
        try:
            with one_at_a_time:
                return page_facts.read_item(one_at_a_time, site, item)
        except FileNotFoundError:
            return None
        except OSError as error:
            return error

    answers: dict[str, ObjectSnapshot | OSError | None] = {}
    for _ in retry.attempts():
        found = concurrency.map_concurrently(read, items, source.width)
        answers |= zip((item.key for item in items), found, strict=True)
        items = [item for item in items if isinstance(answers[item.key], TimeoutError | ItemChangedError)]
        if not items:
            break
    return answers
