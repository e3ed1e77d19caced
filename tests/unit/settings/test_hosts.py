"""The hosts of static sites."""

from __future__ import annotations

import pytest

from waypost.settings.hosts import HOSTS, host_of_domain


def test_a_domain_is_that_of_one_host() -> None:
    domains = [domain for host in HOSTS.values() for domain in host.domains]
    assert len(domains) == len(set(domains))


def test_shapes_that_a_row_leaves_out_are_all_answered() -> None:
    assert HOSTS["plain"].shapes.page == HOSTS["plain"].shapes.folder == ("slash", "bare", "file")
    assert (HOSTS["netlify"].shapes.page, HOSTS["netlify"].shapes.folder) == (("bare", "file"), ("slash", "file"))


@pytest.mark.parametrize(
    ("domain", "name"),
    [
        ("a.github.io", "github-pages"),
        ("A.GitHub.IO", "github-pages"),
        ("notgithub.io", ""),
        ("web.app", "firebase"),
        ("", ""),
    ],
)
def test_a_domain_below_that_of_a_host_is_of_it_in_any_case(domain: str, name: str) -> None:
    assert host_of_domain(domain) == name
