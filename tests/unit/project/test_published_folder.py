"""The folder that a project publishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.core.errors import SourceError
from waypost.core.model import SourceKind
from waypost.git import Repositories
from waypost.project.publication import UNKNOWN_RUN, RunContext
from waypost.project.published_folder import published_folder, require_built, require_there, source_below, source_text
from waypost.project.source_kind import recognize

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Files, Write

PAGE = "<!doctype html><html><title>A</title>"
SVELTE: Files = {
    "package.json": '{"dependencies": {"@sveltejs/kit": "3"}}',
    **{f"build/{name}": "x" for name in ("client/a.js", "server/index.js", "prerendered/index.html")},
}
NUXT: Files = {
    "package.json": '{"dependencies": {"nuxt": "4"}}',
    **{f".output/{name}": "x" for name in ("public/_nuxt/a.js", "server/index.mjs")},
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"index.html": PAGE}, "."),
        ({"README.md": "", "docs/index.html": PAGE}, "docs"),
        ({"hugo.toml": "", "public/index.html": PAGE}, "public"),
        ({"_config.yml": "", "index.md": "---\n---\n"}, "."),
        ({"nuxt.config.ts": "", ".output/public/index.html": "<!DOCTYPE html><html><body>A"}, ".output/public"),
    ],
    ids=["a site", "a site in docs", "what a generator made", "a source of Jekyll's", "a page without a title"],
)
def test_the_folder_with_the_built_pages_is_published(write: Write, files: Files, expected: str) -> None:
    here = write(files)
    assert published_folder(here) == here / expected


TWO_SITES = "on: push\njobs:\n  a:\n    steps:\n" + "".join(
    f"      - run: hugo -d {name}\n      - run: scp -r {name} me@a.dev:www\n" for name in ("one", "two")
)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"hugo.toml": ""}, "build the site first: `hugo`"),
        (
            {"netlify.toml": '[build]\npublish = "dist"\ncommand = "make"', "index.html": PAGE},
            "netlify.toml publishes dist, which does not exist, so nothing was written\n  build the site first: `make`",
        ),
        (
            {"hugo.toml": "", "vercel.json": '{"outputDirectory": "public"}', "docs/index.html": PAGE},
            "build the site first: `hugo`",
        ),
        (
            {"firebase.json": '{"hosting": {"public": "build/web"}}', "web/index.html": PAGE},
            "firebase.json publishes build/web, which does not exist, so nothing was written\n  build the site first\n",
        ),
        (
            {"next.config.mjs": "export default {}", "package.json": '{"dependencies": {"next": "15"}}'},
            "with a server .*\n  build the site first: `npx next build`\n  then list .*`waypost build .next/server/",
        ),
        (
            {"next.config.mjs": "export default { output: 'export' }", "package.json": "{}"},
            "then run Waypost over the built site: `waypost build out`",
        ),
        (SVELTE, "SvelteKit with a server"),
        (NUXT, "Nuxt with a server"),
        ({"README.md": "", "docs/index.html": PAGE, "www/index.html": PAGE}, "several sites; name one of them"),
        (
            {"hugo.toml": "", ".github/workflows/a.yml": TWO_SITES},
            r"SOURCE:\n  one: Hugo builds it by `hugo -d one`\n  two: Hugo builds it by `hugo -d one && hugo -d two`",
        ),
        ({"README.md": "", "app/templates/base.html": PAGE}, "shows where its site is"),
    ],
    ids=[
        "not built yet",
        "absent",
        "absent beside docs",
        "absent without a command",
        "a server that leaves pages it has rendered",
        "a server's generator that exports files",
        "rendered before and by a server",
        "rendered by a server",
        "two sites",
        "two sites that are built",
        "no site",
    ],
)
def test_a_project_whose_folder_is_not_known_stops_the_run(write: Write, files: Files, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        published_folder(write(files))


def test_a_folder_that_a_generator_builds_is_refused_with_what_to_do(write: Write) -> None:
    source = write({"mkdocs.yml": "site_name: A\n"})
    with pytest.raises(SourceError) as caught:
        require_built(recognize(source), source, source)
    assert str(caught.value).splitlines() == [
        ". is the source of a site that MkDocs builds, so nothing was written "
        "(mkdocs.yml: it is the configuration of MkDocs)",
        "  build the site first: `mkdocs build`",
        "  then run Waypost over the built site: `waypost build site`, in a workflow `source: site`",
        '  if the files of . are published as they are: set source_kind = "static"',
    ]


def test_what_is_committed_for_github_pages_is_published_whatever_branch_a_script_pushes(write: Write) -> None:
    scripts = '{"scripts": {"up": "hugo -d $OUT && cd $OUT && git init && git add . && git push origin pages"}}'
    here = write({"hugo.toml": "", "package.json": scripts, "docs/index.html": PAGE})
    with pytest.raises(SourceError, match="build the site first"):
        published_folder(here)
    write({"docs/.nojekyll": ""})
    assert published_folder(here) == here / "docs"
    write({"package.json": scripts.replace("git push origin pages", "cd .. && gh-pages -d public")})
    with pytest.raises(SourceError, match="build the site first"):
        published_folder(here)


def test_a_folder_that_is_named_before_it_is_built_is_known(write: Write) -> None:
    here = write({"mkdocs.yml": "site_name: A\n"})
    with pytest.raises(SourceError, match="build the site first: `mkdocs build`"):
        require_there(here / "site", here, UNKNOWN_RUN)
    require_there(here / "public", here, UNKNOWN_RUN)
    write({"site/index.html": PAGE})
    require_there(here / "site", here, UNKNOWN_RUN)


def test_a_built_folder_that_exists_is_named(write: Write) -> None:
    source = write({"package.json": '{"dependencies": {"astro": "5"}}', "dist/index.html": ""})
    with pytest.raises(SourceError, match="`source: site/dist`; the folder exists already"):
        require_built(recognize(source), source, source.parent)


def test_paths_outside_of_the_working_folder_are_shown_whole(write: Write) -> None:
    source = write({"hugo.toml": ""})
    with pytest.raises(SourceError, match=f"`waypost build {source}/public`"):
        require_built(recognize(source), source, source / "content")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (SourceKind("static"), "a site as it is"),
        (SourceKind("static", reason="it has none"), "a site as it is (it has none)"),
        (
            SourceKind("github-pages", "Jekyll", "_config.yml", "it is there"),
            "the source of a site that GitHub Pages builds with Jekyll (_config.yml: it is there)",
        ),
        (SourceKind("jekyll", "Jekyll"), "the source of a site that the project builds with Jekyll"),
        (SourceKind("generator", "Hugo", "hugo.toml", "so"), "the source of a site that Hugo builds (hugo.toml: so)"),
    ],
)
def test_a_kind_is_named_with_its_evidence(kind: SourceKind, text: str) -> None:
    assert source_text(kind) == text


def test_the_source_of_a_site_in_a_subfolder_is_warned_of(write: Write) -> None:
    root = write({"page.html": PAGE, "website/docusaurus.config.js": "", "docs/a.html": PAGE})
    (found,) = source_below(root, recognize(root))
    assert found.code == "source-below"
    assert [(each.key, "Docusaurus builds" in each.detail) for each in found.examples] == [("website/", True)]


def test_a_folder_that_was_recognised_or_has_no_source_in_it_is_not_warned_of(write: Write) -> None:
    root = write({"plain/page.html": PAGE, "docs/docusaurus.config.js": "", "index.html": PAGE})
    assert source_below(root, recognize(root)) == []
    assert source_below(root, recognize(root, "static")) == []
    assert source_below(root / "plain", recognize(root / "plain")) == []


def test_the_folder_that_github_pages_publishes_goes_before_the_build_that_it_is_a_copy_of(write: Write) -> None:
    files = {"mkdocs.yml": "site_name: a", "site/index.html": PAGE, "docs/index.html": PAGE}
    here = write(files)
    assert published_folder(here) == here / "site"
    (here / "docs" / ".nojekyll").touch()
    assert published_folder(here) == here / "docs"


def test_what_was_committed_of_a_site_that_an_action_builds_anew_is_not_listed(repository: Repository) -> None:
    workflow = "on: push\njobs: {a: {steps: [{uses: withastro/action@v5}, {uses: actions/deploy-pages@v5}]}}"
    files = {"package.json": '{"dependencies": {"astro": "5"}}', ".github/workflows/a.yml": workflow}
    repository.write({**files, "dist/index.html": PAGE})
    opened = Repositories(repository.folder).of_workspace
    assert published_folder(repository.folder, repository=opened) == repository.folder / "dist"
    repository.commit({"dist/index.html": PAGE}, when=1_700_000_000)
    opened = Repositories(repository.folder).of_workspace
    with pytest.raises(SourceError, match=r"`withastro/action` .* builds and publishes it at once"):
        published_folder(repository.folder, repository=opened)


def test_what_was_committed_of_a_site_that_a_host_builds_is_listed_on_that_host_alone(repository: Repository) -> None:
    netlify = '[build]\npublish = "public"\ncommand = "hugo --gc"'
    repository.commit({"hugo.toml": "", "netlify.toml": netlify, "public/index.html": PAGE}, when=1_700_000_000)
    opened = Repositories(repository.folder).of_workspace
    with pytest.raises(SourceError, match=r"`hugo --gc` \(netlify\.toml\)"):
        published_folder(repository.folder, repository=opened)
    on_host = RunContext(host="netlify")
    assert published_folder(repository.folder, on_host, opened) == repository.folder / "public"
