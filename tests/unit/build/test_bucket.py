"""A run over the objects of a bucket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from waypost.build import bucket_run
from waypost.build.bucket import prepare, read_adopted, settings
from waypost.build.locations import Locations
from waypost.build.named_places import NamedPlaces
from waypost.core.errors import ConfigurationError, StateError
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from pathlib import Path

    from buckets import MadeBucket
    from fake_cloud import Cloud

PAGES = {"www/a.html": "<title>A</title>", "www/b.html": "<title>B</title>"}


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where settings are looked for: an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def flags(**values: Any) -> ConfigSource:
    return ConfigSource("test", {"base_url": "https://example.org/", **values})


def issues(*config_sources: ConfigSource, folder: Path) -> list[tuple[str, str]]:
    """Where each issue is, and its key."""
    with pytest.raises(ConfigurationError) as caught:
        settings(config_sources, NamedPlaces(config_sources, folder))
    return [(issue.where, issue.key) for issue in caught.value.issues]


def test_pages_have_dates_by_their_content_only_if_there_is_a_state(tmp_path: Path) -> None:
    assert settings([flags()], NamedPlaces((), tmp_path)).lastmod == "none"
    assert settings([flags(state="state")], NamedPlaces((), tmp_path)).lastmod == "content"


def test_dates_from_git_are_an_issue_of_the_last_source_that_names_them(tmp_path: Path) -> None:
    file = ConfigSource("waypost.toml", {"lastmod": "git"})
    assert issues(file, flags(), folder=tmp_path) == [("waypost.toml", "lastmod")]
    assert settings([file, flags(lastmod="none")], NamedPlaces((), tmp_path)).lastmod == "none"


def test_all_issues_are_reported_at_once(tmp_path: Path) -> None:
    found = issues(flags(lastmod="git", templates="absent", gzip="yes"), folder=tmp_path)
    assert sorted(key for _, key in found) == ["gzip", "lastmod", "templates"]


def test_a_bucket_without_a_state_is_built_from_what_it_has(bucket: MadeBucket) -> None:
    bucket.put(PAGES)
    job = prepare(f"s3://{bucket.name}/www", flags())
    assert job.input.key(f"s3://{bucket.name}/www/a.html") == job.input.key("a.html") == "a.html"
    plan = job.plan()
    assert [(page.key, page.lastmod) for page in plan.pages] == [("a.html", None), ("b.html", None)]
    job.apply(plan)
    assert bucket.keys() == ["www/a.html", "www/b.html", "www/sitemap.xml"]


def test_sitemaps_that_are_published_elsewhere_are_written_there(bucket: MadeBucket) -> None:
    bucket.put(PAGES)
    job = prepare(f"s3://{bucket.name}/www", flags(), output=f"s3://{bucket.name}/maps")
    job.apply(job.plan())
    assert bucket.keys() == ["maps/sitemap.xml", "www/a.html", "www/b.html"]


@pytest.fixture
def cloud(cloud: Cloud) -> Cloud:
    """A cloud in memory, whose site has two pages."""
    for key, body in PAGES.items():
        cloud.site.put(key.removeprefix("www/"), body)
    return cloud


def test_a_plus_in_a_key_is_escaped_as_s3_reads_it_as_a_space_but_its_website_endpoint_does_not(cloud: Cloud) -> None:
    cloud.site.source.objects.clear()
    cloud.site.put("c++/index.html", "<title>a</title>")
    cloud.site.put("_redirects", "/c++/ / 301!")
    by_default, website = (prepare("cloud://site/www", flags(**more)) for more in ({}, {"host": "s3-website"}))
    assert [page.loc for page in by_default.plan().pages] == ["https://example.org/c%2B%2B/"]
    assert [page.loc for page in website.plan().pages] == ["https://example.org/c++/"]


def test_a_state_that_is_a_path_is_in_the_folder_of_the_settings(cloud: Cloud, working_folder: Path) -> None:
    (working_folder / "kept").mkdir()
    file = working_folder / "kept" / "waypost.toml"
    file.write_text('state = "kept-state"\n')
    site = prepare("cloud://site/www", flags(), file=file)
    assert site.bucket
    bucket_run.rebuild(site.bucket)
    assert (working_folder / "kept" / "kept-state" / "state").exists()
    assert list(cloud.published("cloud://site/www/")) == ["sitemap.xml"]


def test_a_dry_run_writes_neither_state_nor_sitemaps(cloud: Cloud, working_folder: Path) -> None:
    site = prepare("cloud://site/www", flags(state="state"))
    assert site.bucket
    assert bucket_run.rebuild(site.bucket.dry_run()).written == ("sitemap.xml",)
    assert cloud.published("cloud://site/www/") == {}
    assert not (working_folder / "state" / "state").exists()


@pytest.mark.parametrize("state", ["cloud://site/www", "cloud://site/www/state"])
@pytest.mark.usefixtures("cloud")
def test_a_state_that_would_be_published_is_an_issue(state: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        prepare("cloud://site/www", flags(state=state))
    (issue,) = caught.value.issues
    assert (issue.key, issue.allowed) == ("state", "a folder in a private bucket")
    assert prepare("cloud://site/www", flags(state="cloud://site/wwww")).bucket


def test_the_listing_of_a_bucket_with_a_state_is_what_that_remembers(cloud: Cloud) -> None:
    job = prepare("cloud://site/www", flags(state="state"))
    assert job.bucket
    bucket_run.rebuild(job.bucket)
    cloud.site.put("c.html", "<title>no event of it has come</title>")
    listing, dates = job.list_pages(lambda stage, done, total: None)
    assert [page.key for page in listing.pages] == ["a.html", "b.html"]
    plan = job.plan_publication(listing, dates, lambda stage, done, total: None)
    assert [each.name for each in plan.documents] == ["sitemap.xml"]
    anew, _ = job.list_pages(lambda stage, done, total: None, believes_sitemaps=False)
    assert [page.key for page in anew.pages] == ["a.html", "b.html", "c.html"]


@pytest.mark.usefixtures("cloud")
def test_the_dates_of_another_state_are_read_with_a_warning_of_the_files_that_stay_elsewhere() -> None:
    first = prepare("cloud://site/www", flags(state="state")).bucket
    second = prepare("cloud://site/moved", flags(state="other")).bucket
    assert first
    assert second
    with pytest.raises(StateError, match="no complete state"):
        read_adopted(second, Locations(), "state", "test", "adopt")
    bucket_run.rebuild(first)
    found, (warning,) = read_adopted(second, Locations(), "state", "test", "adopt")
    assert (found.head.page_count, warning.code) == (2, "adopted")
    assert warning.examples[0].key == "cloud://site/www/sitemap.xml"
    assert read_adopted(first, Locations(), "state", "test", "adopt")[1] == ()
