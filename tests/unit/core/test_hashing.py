from waypost.core.hashing import content_digest, short_digest


def test_a_digest_is_that_of_every_version_so_that_stored_ones_stay_valid() -> None:
    assert content_digest(b"") == "cae66941d9efbd404e4d88758ea67670"
    assert content_digest(b"a") == "27c35e6e9373877f29e562464e46497e"
    assert short_digest(b"") == "e4a6a0577479b2b4"
    assert short_digest(b"a") == "40f89e395b66422f"
