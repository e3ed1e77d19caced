from __future__ import annotations

from dataclasses import dataclass, field

from waypost.announce.base import PublishResult, notify_all
from waypost.core.errors import AnnounceError

RESULT = PublishResult("https://example.org/", written=("sitemap.xml",))


@dataclass
class Listener:
    """A subscriber that remembers what it was told, and may fail."""

    name: str = "the listener"
    problem: str = ""
    received: list[PublishResult] = field(default_factory=list)

    def notify(self, result: PublishResult) -> None:
        self.received.append(result)
        if self.problem:
            raise AnnounceError(self.problem)


def test_every_subscriber_is_notified_of_what_was_published() -> None:
    one, other = Listener(), Listener()
    assert notify_all([one, other], RESULT) == ()
    assert one.received == other.received == [RESULT]


def test_a_publication_that_changed_no_file_is_not_announced() -> None:
    listener = Listener()
    assert notify_all([listener], PublishResult("https://example.org/")) == ()
    assert listener.received == []


def test_a_subscriber_that_fails_gives_a_warning_and_keeps_no_other_from_being_notified() -> None:
    failing, other = Listener("the webhook", "it answered 503"), Listener()
    (warning,) = notify_all([failing, other], RESULT)
    assert warning.code == "not-announced"
    assert warning.message == "the sitemaps are published, but the webhook failed: it answered 503"
    assert other.received == [RESULT]
