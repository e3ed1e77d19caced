"""Notifying one subscriber: its failure is a warning, and says whether it is to be tried again."""

from __future__ import annotations

import pytest
from subscribers import Recorder

from waypost.core.errors import AnnounceError, TryLaterError
from waypost.notify.base import PublishResult, notify

RESULT = PublishResult("1", "https://example.org/", ("sitemap.xml",))


def test_a_subscriber_gets_the_results() -> None:
    recorder = Recorder()
    found = notify(recorder, [RESULT])
    assert (found.warning, found.retry_after) == (None, None)
    assert recorder.results == [RESULT]


@pytest.mark.parametrize(
    ("error", "retry_after"), [(AnnounceError("the key is wrong"), None), (TryLaterError("the key is wrong", 60), 60)]
)
def test_a_failure_is_a_warning_that_says_that_the_sitemaps_are_published(
    error: AnnounceError, retry_after: float | None
) -> None:
    recorder = Recorder()
    recorder.failures.append(error)
    found = notify(recorder, [RESULT])
    assert found.retry_after == retry_after
    assert found.warning
    assert found.warning.code == "not-announced"
    assert found.warning.message == "the sitemaps are published, but recorder failed: the key is wrong"
