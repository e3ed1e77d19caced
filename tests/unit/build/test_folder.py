"""A run over a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from unit.sample_sites import job_of

from waypost.core.errors import ConfigurationError, SourceError

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Write

PAGE = "<title>A</title>"


def test_settings_of_the_file_are_overridden_by_flags_and_its_folder_is_where_paths_begin(write: Write) -> None:
    source = write({"a.html": PAGE, "waypost.toml": 'name = "map"\ngzip = true\nstate = "kept/state.jsonl"\n'})
    job = job_of(source, gzip=False, lastmod="content")
    assert (job.site.name, job.site.gzip) == ("map", False)
    assert (job.paths.settings, job.state and job.state.path) == (
        source / "waypost.toml",
        source / "kept" / "state.jsonl",
    )


def test_a_folder_that_does_not_exist_is_an_error_of_the_source(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="absent"):
        job_of(tmp_path / "absent")


def test_an_output_below_the_site_s_root_is_an_issue_of_the_flags(write: Write) -> None:
    source = write({"a.html": PAGE})
    with pytest.raises(ConfigurationError) as caught:
        job_of(source, source / "maps")
    (issue,) = caught.value.issues
    assert (issue.where, issue.key) == ("test", "output")
    assert job_of(source, source.parent / "public").paths.output == source.parent / "public"
    assert job_of(source, source / "maps" / "..").plan().written == ["sitemap.xml"]


@pytest.mark.parametrize("state", ["s3://bucket/state", "site/sitemap.xml", "site/sitemap-blog.xml", "site/robots.txt"])
def test_a_state_must_be_a_file_that_waypost_does_not_publish(write: Write, state: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        job_of(write({"a.html": PAGE}), state=state, lastmod="content")
    assert [issue.key for issue in caught.value.issues] == ["state"]


@pytest.mark.parametrize("state", ["site/state.jsonl", "kept/sitemap.xml"])
def test_a_state_may_be_beside_the_outputs_or_have_the_name_of_one_elsewhere(write: Write, state: str) -> None:
    source = write({"a.html": PAGE})
    found = job_of(source, state=state, lastmod="content").state
    assert found is not None
    assert found.path == source.parent / state
