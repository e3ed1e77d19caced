"""The options of every command on a site: what they set, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from unit.cli.invoke import BASE

from waypost.build.job import Job
from waypost.cli import options
from waypost.cli.options import SiteOptions
from waypost.core.errors import ConfigurationError

if TYPE_CHECKING:
    from waypost.settings.schema import Site


def site(*assignments: str) -> Site:
    """The settings of the working folder with these values of --set."""
    job = options.job(".", SiteOptions(assignments, base_url=BASE))
    assert isinstance(job, Job)
    return job.site


def test_a_value_is_toml_or_else_a_word() -> None:
    made = site("gzip=true", "lastmod=none", ' name = "map" ', 'exclude=["/a=b/"]')
    assert (made.gzip, made.lastmod, made.name, made.exclude.lines) == (True, "none", "map", ("/a=b/",))


def test_all_mistakes_of_the_command_line_are_reported_at_once() -> None:
    with pytest.raises(ConfigurationError) as caught:
        options.job(".", SiteOptions(("gzip", "=1", "nonsense=1"), base_url="example.org"))
    problems = [(issue.key, issue.problem) for issue in caught.value.issues]
    assert ("--set", "'gzip' is not KEY=VALUE") in problems
    assert ("--set", "'=1' is not KEY=VALUE") in problems
    assert {"nonsense", "--base-url"} <= {key for key, _ in problems}


def test_a_state_means_dates_from_content_and_is_relative_to_the_working_folder() -> None:
    job = options.job(".", SiteOptions(base_url=BASE, state="state.json"))
    assert isinstance(job, Job)
    assert (job.site.lastmod, job.site.state) == ("content", str(Path.cwd() / "state.json"))


@pytest.mark.usefixtures("cloud")
def test_a_bucket_with_a_state_needs_a_bucket_and_a_state() -> None:
    with pytest.raises(ConfigurationError, match="site is a folder, which only `waypost build` can build"):
        options.stateful_bucket("site", SiteOptions(base_url=BASE))
    with pytest.raises(ConfigurationError, match="--state: it is missing; it names the state"):
        options.stateful_bucket("cloud://site/", SiteOptions(base_url=BASE))
    found = options.stateful_bucket("cloud://site/", SiteOptions(base_url=BASE, state="cloud://private/state"))
    assert found.state.where == "cloud://private/state/state"
