"""A call of the function: how much of its time is kept to finish what it has begun."""

import pytest
from unit.aws.memory_function import Context

from waypost.aws.call import Call


@pytest.mark.parametrize(("timeout", "reserve"), [(900_000, 120_000), (480_000, 120_000), (120_000, 60_000)])
def test_the_deadline_leaves_two_minutes_or_half_of_a_short_timeout(timeout: int, reserve: int) -> None:
    call = Call(Context([timeout, reserve, reserve - 1]))
    assert [call.deadline_reached(), call.deadline_reached()] == [False, True]


def test_a_call_has_the_identity_that_lambda_gave_it() -> None:
    call = Call(Context(aws_request_id="a-request", invoked_function_arn="an-arn"))
    assert (call.request_id, call.rebuild_function, call.is_for_events) == ("a-request", "an-arn", False)


def test_a_call_for_events_leaves_rebuilds_to_another_function() -> None:
    call = Call(Context(), "another-arn")
    assert (call.rebuild_function, call.is_for_events) == ("another-arn", True)
