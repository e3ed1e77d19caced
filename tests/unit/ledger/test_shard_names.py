"""The names of a shard's files are short in the manifest, and none is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.ledger.shard_names import full_name, short_name

NAMES = st.text("ab*/-", max_size=8)


@pytest.mark.parametrize(
    ("name", "shard_id", "short"),
    [
        ("sitemap-00aa.xml.gz", "00aa", "sitemap-*.xml.gz"),
        ("shards/00aa-d-00aa", "00aa", "shards/*-d-*"),
        ("sitemap.xml", None, "sitemap.xml"),
        ("sitemap-*.xml", "00aa", "/sitemap-*.xml"),
        ("/sitemap.xml", None, "//sitemap.xml"),
    ],
)
def test_an_asterisk_stands_for_the_shard_s_id(name: str, shard_id: str | None, short: str) -> None:
    assert short_name(name, shard_id) == short
    assert full_name(short, shard_id) == name


@given(NAMES, st.none() | NAMES)
def test_every_name_is_restored(name: str, shard_id: str | None) -> None:
    assert full_name(short_name(name, shard_id), shard_id) == name
