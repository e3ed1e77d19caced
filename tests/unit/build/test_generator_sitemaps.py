"""What a generator's own sitemaps say of the pages to list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from unit.cli.invoke import BASE, urlset
from unit.sample_sites import pages

from waypost.build.folder import prepare
from waypost.build.generator_sitemaps import choice_of
from waypost.build.job import Job
from waypost.core.reasons import GENERATOR_LEFT_OUT
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from repositories import Repository

PAGES = {f"public/{name}.html": f"<!doctype html><title>{name}</title><p>{name}" for name in ("a", "b", "hidden")}
SITEMAP = urlset("a.html", "b.html")
PROJECT: dict[str, str | bytes | None] = {
    ".gitignore": "public\n",
    "hugo.toml": "",
    "layouts/sitemap.xml": "<urlset>{{ range .Pages }}</urlset>",
}


@pytest.fixture
def project(repository: Repository) -> Repository:
    """A project whose built site is not committed."""
    repository.commit(PROJECT, 1_770_000_000)
    repository.write({**PAGES, "public/sitemap.xml": SITEMAP})
    return repository


def job(project: Repository, **values: Any) -> Job:
    settings = ConfigSource("test", {"base_url": BASE, "lastmod": "none", **values})
    return prepare(project.folder / "public", settings, working_folder=project.folder)


def listed(job: Job) -> list[str]:
    return [page.key for page in job.plan().pages]


def codes(job: Job) -> list[str]:
    return [each.code for each in job.plan().warnings if each.code == "generator-left-out"]


def test_a_page_that_the_generator_leaves_out_is_listed_and_named(project: Repository) -> None:
    assert listed(job(project)) == ["a.html", "b.html", "hidden.html"]
    (warning,) = [each for each in job(project).plan().warnings if each.code == "generator-left-out"]
    assert (warning.count, [each.key for each in warning.examples]) == (1, ["hidden.html"])


def test_the_setting_leaves_it_out_also_after_the_generator_s_sitemap_was_replaced(project: Repository) -> None:
    first = job(project, honour_generator=True)
    plan = first.plan()
    assert [each.key for each in plan.skipped if each.reason == GENERATOR_LEFT_OUT] == ["hidden.html"]
    first.apply(plan)
    assert listed(job(project, honour_generator=True)) == ["a.html", "b.html"]
    assert codes(job(project)) == []


@pytest.mark.parametrize("committed", ["static/sitemap.xml", "public/sitemap.xml"])
def test_a_sitemap_that_somebody_committed_is_no_word_of_the_generator(project: Repository, committed: str) -> None:
    project.write({committed: SITEMAP})
    project.git("add", "--force", committed)
    project.commit({"README.md": "x"}, 1_770_000_001)
    assert codes(job(project)) == []
    assert listed(job(project, honour_generator=True)) == ["a.html", "b.html", "hidden.html"]


@pytest.mark.parametrize(
    ("listed", "left_out"),
    [
        (("a.html", "b.html"), 1),
        (("a", "b/"), 1),
        (("a.html", "b.html", "c.html"), 0),
        (("a.html",), 0),
        ((), 0),
    ],
    ids=["one is missing", "in another form", "none is", "most are, so it is of something else", "nothing is listed"],
)
def test_a_page_that_the_sitemap_does_not_list_in_any_form_is_left_out(listed: tuple[str, ...], left_out: int) -> None:
    found = choice_of(pages(["a.html", "b.html", "c.html"]), {"sitemap.xml": urlset(*listed).encode()})
    assert len(found.left_out) == left_out


def test_a_choice_of_no_page_is_kept_only_in_the_place_of_another(project: Repository) -> None:
    everything = ("a.html", "b.html", "hidden.html")
    for in_sitemap, kept in ((everything, 0), (everything[:2], 1), (everything, 1)):
        project.write({"public/sitemap.xml": urlset(*in_sitemap)})
        made = job(project, honour_generator=True)
        made.apply(made.plan())
        assert listed(job(project, honour_generator=True)) == list(in_sitemap)
        assert len(list((project.folder / ".git/waypost").glob("generator-choice-*.json"))) == kept
