from hashlib import blake2b

from hypothesis import given
from hypothesis import strategies as st

from waypost.core.hashing import content_digest, short_digest


def test_a_digest_is_that_of_every_version_so_that_stored_ones_stay_valid() -> None:
    assert content_digest(b"") == "cae66941d9efbd404e4d88758ea67670"
    assert short_digest(b"") == "e4a6a0577479b2b4"


@given(st.binary(max_size=100), st.binary(max_size=100))
def test_different_content_has_different_digests(one: bytes, other: bytes) -> None:
    assert (content_digest(one) == content_digest(other)) is (one == other)
    assert (short_digest(one) == short_digest(other)) is (one == other)
    assert content_digest(one) == blake2b(one, digest_size=16).hexdigest()
    assert short_digest(one) == blake2b(one, digest_size=8).hexdigest()
