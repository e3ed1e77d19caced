"""What a ledger remembers of changes until subscribers are notified."""

from __future__ import annotations

from waypost.ledger.manifest import Manifest, OutboxFile, PendingFile
from waypost.ledger.outbox import (
    CLAIM_SECONDS,
    claimed,
    claimed_by,
    is_claimable,
    with_outbox_file,
    without_notified,
)

EMPTY = Manifest()
ONE = with_outbox_file(EMPTY, "outbox/1", ("a", "b"), 10)


def test_a_file_waits_until_a_run_claims_it() -> None:
    assert not is_claimable(EMPTY, 10)
    assert is_claimable(ONE, 10)
    mine = claimed(ONE, "me", 20)
    assert not is_claimable(mine, 20)
    assert claimed_by(mine, "me", 20) == [OutboxFile("outbox/1", 10, ("a", "b"), "me", 20 + CLAIM_SECONDS)]
    assert claimed_by(mine, "other", 20) == []


def test_a_claim_ends_by_the_clock_and_another_run_takes_it_over() -> None:
    mine, later = claimed(ONE, "me", 20), 20 + CLAIM_SECONDS
    assert claimed_by(mine, "me", later) == []
    assert claimed(mine, "other", later - 1) == mine
    assert [each.owner for each in claimed(mine, "other", later).outbox] == ["other"]


def test_nothing_is_claimed_while_files_are_pending() -> None:
    pending = Manifest(outbox=ONE.outbox, pending=(PendingFile("sitemap.xml", 1),))
    assert claimed(pending, "me", 20) == pending


def test_a_file_is_named_until_all_its_subscribers_are_notified() -> None:
    mine = claimed(ONE, "me", 20)
    one_left = without_notified(mine, {"outbox/1": {"a"}}, "me")
    assert one_left.outbox == (OutboxFile("outbox/1", 10, ("b",)),)
    assert without_notified(one_left, {"outbox/1": {"b"}}, "me").outbox == ()


def test_what_another_run_has_claimed_or_added_meanwhile_is_left() -> None:
    mine = claimed(ONE, "me", 20)
    later = claimed(with_outbox_file(mine, "outbox/2", ("a",), 30), "other", 30)
    left = without_notified(later, {"outbox/1": {"a", "b"}}, "me")
    assert [(each.name, each.owner) for each in left.outbox] == [("outbox/2", "other")]
