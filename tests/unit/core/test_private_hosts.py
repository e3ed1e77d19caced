"""Which hosts of private networks a run may ask."""

import pytest

from waypost.core.private_hosts import EVERY_HOST, NO_PRIVATE_HOST, named_hosts


def test_a_named_host_is_asked_at_its_own_port_only() -> None:
    named = named_hosts(
        [{"base_url": "HTTP://Intranet.example:8080/", "sitemaps": [{"from": "https://10.0.0.7/a.xml"}]}]
    )
    named.check("intranet.example", 8080, "10.0.0.1")
    named.check("10.0.0.7", 443, "10.0.0.7")
    for host, port in (("intranet.example", 80), ("10.0.0.7", 80), ("other.example", 8080)):
        with pytest.raises(PermissionError, match="not public; to allow it, name the host in a flag or an input"):
            named.check(host, port, "10.0.0.1")


def test_what_is_no_url_names_no_host() -> None:
    assert named_hosts(["http://[", "http://a:b/", "x://10.0.0.1/", 3]).named == frozenset()


def test_all_or_none_are_asked_where_the_run_says_so() -> None:
    EVERY_HOST.check("localhost", 80, "127.0.0.1")
    with pytest.raises(PermissionError, match="to allow it, use --allow-private"):
        NO_PRIVATE_HOST.check("localhost", 80, "127.0.0.1")
