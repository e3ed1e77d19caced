"""The table of hosts."""

from waypost.settings.host_table import HOST_NAMES, HOSTS


def test_the_table_has_the_values_of_the_setting() -> None:
    assert tuple(HOSTS) == HOST_NAMES


def test_a_domain_is_that_of_one_host() -> None:
    domains = [domain for host in HOSTS.values() for domain in host.domains]
    assert len(domains) == len(set(domains))


def test_shapes_that_a_row_leaves_out_are_all_answered() -> None:
    assert HOSTS["plain"].shapes.page == HOSTS["plain"].shapes.folder == ("slash", "bare", "file")
    assert (HOSTS["netlify"].shapes.page, HOSTS["netlify"].shapes.folder) == (("bare", "file"), ("slash", "file"))
