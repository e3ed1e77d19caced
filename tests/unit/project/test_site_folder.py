"""Where the site of a project is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from source_folders import PAGE

from waypost.project.publication import RunContext
from waypost.project.site_folder import find_parts, find_sites, published_below, sites_below

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Files, Write


@pytest.mark.parametrize(
    ("files", "place", "kind"),
    [
        ({"index.html": PAGE, "docs/index.html": PAGE, "package.json": "{}"}, ".", "static"),
        ({"hugo.toml": "", "docs/conf.py": "extensions = []", "docs/index.rst": ""}, ".", "generator"),
        ({"_config.yml": "", "docs/index.html": PAGE}, ".", "github-pages"),
        ({"setup.py": "", "docs/conf.py": "extensions = []", "docs/index.rst": ""}, "docs", "generator"),
        ({"package.json": "{}", "website/docusaurus.config.js": "", "docs/a.md": ""}, "website", "generator"),
        ({"go.mod": "", "docs/_config.yml": ""}, "docs", "github-pages"),
        ({"Makefile": "", "docs/index.html": PAGE}, "docs", "static"),
        ({"public/index.html": PAGE}, "public", "static"),
        ({"a.html": PAGE, "Makefile": ""}, ".", "static"),
        ({"a/b.html": PAGE}, ".", "static"),
    ],
)
def test_the_site_is_the_folder_itself_or_a_usual_one_below_it(
    write: Write, files: Files, place: str, kind: str
) -> None:
    folder = write(files)
    (site,) = find_sites(folder)
    assert (site.folder, site.kind.kind, site.is_known) == (folder / place, kind, True)
    assert site.is_built == (kind == "generator")


def test_a_project_without_a_recognisable_site_has_no_known_one(write: Write) -> None:
    (site,) = find_sites(write({"package.json": "{}", "src/index.html": PAGE}))
    assert (site.is_known, site.is_built) == (False, False)


@pytest.mark.parametrize(("others", "is_found"), [([], True), (["app"], False), (["examples", "tests"], True)])
def test_the_only_folder_with_a_generator_s_configuration_is_the_site(
    write: Write, others: list[str], *, is_found: bool
) -> None:
    (found,) = find_sites(
        write({f"{name}/astro.config.mjs": "" for name in ("docs-site", *others)} | {"README.md": ""})
    )
    assert (found.folder.name == "docs-site", found.is_known) == (is_found, is_found)


def test_all_sites_of_a_repository_with_several_packages_are_named(write: Write) -> None:
    files = {"package.json": "{}", "apps/a/astro.config.mjs": "", "apps/b/hugo.toml": "", "apps/c/main.py": ""}
    folder = write(files)
    assert [site.folder for site in find_sites(folder)] == [folder / "apps/a", folder / "apps/b"]


@pytest.mark.parametrize(
    ("files", "source"),
    [
        ({"package.json": '{"workspaces": ["web", "tools"]}', "web/gatsby-config.js": "", "tools/a.js": ""}, "web"),
        ({"package.json": '{"workspaces": {"packages": ["a/*"]}}', "a/b/astro.config.mjs": ""}, "a/b"),
        ({"pnpm-workspace.yaml": "packages:\n  - front\n", "front/astro.config.mjs": ""}, "front"),
        (
            {
                ".github/workflows/a.yml": "jobs: {a: {steps: [{uses: peaceiris/actions-gh-pages@v4, "
                "with: {publish_dir: blog/public}}]}}",
                "blog/hugo.toml": "",
            },
            "blog",
        ),
        (
            {
                ".github/workflows/a.yml": "jobs: {a: {steps: [{run: hugo, working-directory: blog}, "
                "{run: ghp-import -p $OUT, working-directory: blog}]}}",
                "blog/hugo.toml": "",
            },
            "blog",
        ),
        (
            {
                ".github/workflows/a.yml": "jobs: {a: {steps: [{run: cd manual && mkdocs gh-deploy}]}}",
                "manual/mkdocs.yml": "site_name: a",
            },
            "manual",
        ),
        (
            {
                ".readthedocs.yaml": "sphinx: {configuration: manual/conf.py}",
                "manual/conf.py": "extensions = []",
                "manual/index.rst": "",
            },
            "manual",
        ),
        ({"website/docusaurus.config.js": "docs: {path: '../docs'}", "docs/index.md": "---\nid: a\n---\n"}, "website"),
    ],
    ids=["npm", "yarn", "pnpm", "a workflow's path", "a working directory", "a command", "Read the Docs", "contents"],
)
def test_a_source_in_a_folder_that_only_files_of_the_repository_name_is_the_site(
    write: Write, files: Files, source: str
) -> None:
    folder = write({"README.md": "", ".git/HEAD": "", **files})
    (site,) = find_sites(folder)
    assert (site.folder, site.kind.kind) == (folder / source, "generator")
    (of_folder,) = find_sites(folder / source)
    assert of_folder.output == site.output


def test_a_published_branch_that_is_checked_out_is_the_site(write: Write) -> None:
    folder = write({"index.html": PAGE, "netlify.toml": '[build]\npublish = "dist"\n'})
    (site,) = find_sites(folder, run=RunContext(("gh-pages", "main")))
    assert (site.folder, site.is_built) == (folder, False)


MIKE = "jobs: {a: {steps: [{run: mike deploy --push 1}]}}"


def test_a_generator_s_source_that_is_published_by_name_is_the_site_whatever_is_beside_it(write: Write) -> None:
    files = {".nojekyll": "", "index.html": PAGE, "mkdocs.yml": "site_name: a", ".github/workflows/a.yml": MIKE}
    (site,) = find_sites(write(files))
    assert (site.kind.generator, site.kind.output) == ("MkDocs", "site")


def test_a_generator_that_only_a_package_names_is_not_that_of_the_root(write: Write) -> None:
    files = {"package.json": '{"devDependencies": {"astro": "5"}}', "docs/astro.config.ts": "", "README.md": ""}
    folder = write(files)
    assert [site.folder for site in find_sites(folder)] == [folder / "docs"]
    write({"package.json": '{"devDependencies": {"astro": "5"}, "scripts": {"build": "astro build"}}'})
    assert [site.folder for site in find_sites(folder)] == [folder]


DOCUSAURUS = "docs: {path: '../docs'}"
RSYNC = "jobs: {a: {steps: [{run: rsync -a backup/ host.example:backup}]}}"


@pytest.mark.parametrize(
    ("files", "outputs"),
    [
        (
            {"website/docusaurus.config.js": DOCUSAURUS, "docs/mkdocs.yml": "site_name: a"},
            ["docs/site", "website/build"],
        ),
        ({".github/workflows/a.yml": RSYNC, "docs/index.html": PAGE}, ["docs"]),
        ({"firebase.json": '{"hosting": {"public": "dist/app"}}', "docs/_config.yml": "theme: a"}, ["dist/app"]),
        ({"firebase.json": '{"hosting": {"public": "docs/_site"}}', "docs/_config.yml": "theme: a"}, ["docs"]),
        ({"firebase.json": '{"hosting": [{"public": "a"}, {"public": "b"}]}', "docs/index.html": PAGE}, ["a", "b"]),
        ({"vercel.json": '{"outputDirectory": "out"}', "docs/vercel.json": '{"outputDirectory": "o"}'}, ["out"]),
    ],
    ids=[
        "a generator's contents",
        "a copy of something",
        "Jekyll elsewhere",
        "Jekyll",
        "two targets",
        "a package's file",
    ],
)
def test_what_is_declared_is_no_more_and_no_less_than_what_publishes_the_site(
    write: Write, files: Files, outputs: list[str]
) -> None:
    folder = write({"README.md": "", ".git/HEAD": "", **files})
    assert sorted(site.output.relative_to(folder).as_posix() for site in find_sites(folder)) == outputs


def test_a_folder_with_a_page_of_its_own_is_the_site_whatever_is_below(write: Write) -> None:
    folder = write({"README.md": "", "start.html": PAGE, "docs/index.html": PAGE})
    assert [site.folder for site in find_sites(folder)] == [folder]


def test_the_output_of_a_generator_that_exists_is_where_the_site_is(write: Write) -> None:
    folder = write({"hugo.toml": "", "public/index.html": PAGE})
    (site,) = find_sites(folder)
    assert (site.output, site.is_built) == (folder / "public", True)


def test_the_source_of_a_site_goes_before_a_folder_that_looks_like_a_site(write: Write) -> None:
    folder = write({"website/docusaurus.config.js": "", "public/index.html": PAGE})
    assert [site.folder.name for site in sites_below(folder)] == ["website"]


def test_a_built_site_that_git_ignores_is_not_the_one_to_commit(write: Write) -> None:
    folder = write({"package.json": "{}", "public/index.html": PAGE, "web/index.html": PAGE})
    assert find_sites(folder, {"public/"})[0].folder == folder / "web"


def test_a_folder_that_does_not_exist_is_its_own_site(write: Write) -> None:
    folder = write({}) / "absent"
    assert find_sites(folder)[0].folder == folder


COPIED = """pages:
  script:
    - mkdir .public
    - cp -r * .public
    - mv .public public
  artifacts:
    paths: [public]
"""
PAGES, PEACEIRIS = "actions/upload-pages-artifact@v5", "peaceiris/actions-gh-pages@v4"


@pytest.mark.parametrize(
    ("action", "value", "is_found"),
    [
        (PAGES, "path: 'site/public'", True),
        (PEACEIRIS, "publish_dir: ./site/public", True),
        (PAGES, "name: a\n      - with:\n          path: site/public", False),
        (PAGES, "path: ${{ env.OUT }}", False),
    ],
)
def test_the_folder_that_a_workflow_deploys_is_the_site(write: Write, action: str, value: str, is_found: bool) -> None:
    step = f"- name: Deploy\n        uses: {action}\n        with:\n          {value}\n"
    workflow = {
        ".github/workflows/a.yml": f"jobs:\n  a:\n    steps:\n      {step}      - uses: actions/deploy-pages@v5\n"
    }
    folder = write({"a.html": PAGE, "site/public/index.html": PAGE, **workflow})
    assert find_sites(folder)[0].folder == (folder / "site/public" if is_found else folder)


def test_nojekyll_beside_a_generator_s_configuration_does_not_make_its_source_a_site(write: Write) -> None:
    (site,) = find_sites(write({".nojekyll": "", "eleventy.config.js": "", "content/a.md": ""}))
    assert site.kind.generator == "Eleventy"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("netlify.toml", '[build]\npublish = "www-out"\n'),
        ("firebase.json", '{"hosting": {"public": "www-out"}}'),
    ],
)
def test_the_folder_that_a_host_s_file_names_is_the_site(write: Write, name: str, text: str) -> None:
    folder = write({name: text, "www-out/index.html": PAGE})
    assert [site.folder for site in find_sites(folder)] == [folder / "www-out"]


NETLIFY = '[build]\ncommand = "make"\npublish = "dist"\n'
DEPLOYS = "on: push\njobs: {a: {steps: [{run: make}, {uses: actions/upload-pages-artifact@v5, with: {path: dist}},"
DEPLOYS += " {uses: actions/deploy-pages@v5}]}}"


@pytest.mark.parametrize(
    "files",
    [
        {"netlify.toml": NETLIFY, "index.html": PAGE},
        {"netlify.toml": NETLIFY, "docs/index.html": PAGE},
        {"netlify.toml": NETLIFY, "package.json": "{}", "docs/index.html": PAGE, "dist/.keep": ""},
        {"netlify.toml": NETLIFY, "package.json": "{}", "docs/index.html": PAGE, "dist/a.css": ""},
        {"netlify.toml": NETLIFY, "docs/conf.py": "extensions = []", "docs/_build/html/index.html": PAGE},
        {".git/HEAD": "", ".github/workflows/a.yml": DEPLOYS, "docs/index.html": PAGE, "docs/CNAME": "a.dev"},
    ],
    ids=[
        "pages in the root",
        "pages in docs",
        "an empty folder",
        "no page",
        "another generator's output",
        "a workflow's",
    ],
)
def test_a_declared_folder_that_is_absent_is_not_replaced_by_another(write: Write, files: Files) -> None:
    folder = write(files)
    (site,) = find_sites(folder)
    assert (site.output, site.is_built, site.kind.command) == (folder / "dist", True, "make")


def test_several_declared_folders_that_are_absent_are_several_sites(write: Write) -> None:
    folder = write({"netlify.toml": NETLIFY, "vercel.json": '{"outputDirectory": "out"}', "index.html": PAGE})
    assert [site.output for site in find_sites(folder)] == [folder / "dist", folder / "out"]


@pytest.mark.parametrize(
    ("files", "place", "kind"),
    [
        ({"netlify.toml": NETLIFY, "package.json": '{"dependencies": {"vite": "7"}}'}, ".", "generator"),
        ({"netlify.toml": NETLIFY, "_config.yml": "", "index.md": "---\n---\n"}, ".", "github-pages"),
        ({"netlify.toml": NETLIFY, "CNAME": "a.dev", "index.html": PAGE}, ".", "static"),
        ({"netlify.toml": NETLIFY, "docs/.nojekyll": "", "docs/index.html": PAGE}, "docs", "static"),
        ({"netlify.toml": NETLIFY, "hugo.toml": "", "docs/CNAME": "a.dev", "docs/index.html": PAGE}, "docs", "static"),
        ({"tmpl.html": "<html>", "docs/CNAME": "a.dev", "docs/index.html": PAGE}, "docs", "static"),
        (
            {"netlify.toml": NETLIFY.replace("make", "mkdir dist && cp -r *.html css dist"), "index.html": PAGE},
            ".",
            "static",
        ),
        ({"netlify.toml": NETLIFY.replace("make", "cp -r docs/ dist"), "docs/index.html": PAGE}, "docs", "static"),
        ({".gitlab-ci.yml": COPIED, "index.html": PAGE}, ".", "static"),
    ],
    ids=[
        "a generator's",
        "Jekyll's",
        "a domain's",
        "no Jekyll",
        "docs of a domain",
        "a template above docs",
        "copied pages",
        "a copied folder",
        "GitLab's example",
    ],
)
def test_what_becomes_the_declared_folder_is_the_site(write: Write, files: Files, place: str, kind: str) -> None:
    folder = write(files)
    (site,) = find_sites(folder)
    assert (site.folder, site.kind.kind) == (folder / place, kind)


@pytest.mark.parametrize(
    "command", ["make && cp CNAME dist", "mv build/html dist", "cp -r docs/img dist", "cp -r build docs"]
)
def test_a_copy_of_other_files_makes_no_other_folder_the_site(write: Write, command: str) -> None:
    folder = write({"netlify.toml": NETLIFY.replace("make", command), "docs/index.html": PAGE})
    assert [site.output for site in find_sites(folder)] == [folder / "dist"]


def test_files_that_are_copied_beside_what_a_command_builds_are_a_part_of_the_site(write: Write) -> None:
    command = "hugo --source blog --destination ../dist/blog && rsync -a --exclude=blog ./ dist/"
    folder = write({"netlify.toml": NETLIFY.replace("make", command), "index.html": PAGE})
    assert [site.output for site in find_sites(folder)] == [folder / "dist"]


SITEMAP = "<urlset><url><loc>https://a.dev/</loc></url><url><loc>https://a.dev/{}about/</loc></url></urlset>"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"client/index.html": PAGE, "client/sitemap-0.xml": SITEMAP.format("")}, ["client"]),
        ({"www/index.html": PAGE, "www/sitemap.xml": SITEMAP.format(""), "api/a.js": ""}, ["www"]),
        ({"en/index.html": PAGE, "en/sitemap.xml": SITEMAP.format("en/")}, []),
        ({"client/index.html": PAGE, "other/index.html": PAGE, "client/sitemap-0.xml": SITEMAP.format("")}, []),
        ({"client/index.html": PAGE}, []),
    ],
    ids=["an adapter's", "a folder of a server's", "a language", "two folders", "no sitemap"],
)
def test_a_folder_whose_only_home_page_is_a_site_s_root_has_its_site_below(
    write: Write, files: Files, found: list[str]
) -> None:
    folder = write(files)
    assert [site.folder for site in published_below(folder)] == [folder / name for name in found]


def test_a_link_out_of_the_project_is_never_its_site(write: Write, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "index.html").write_text(PAGE)
    folder = write({"README.md": "", "netlify.toml": '[build]\npublish = "pub"\n'})
    (folder / "pub").symlink_to(tmp_path / "outside")
    (folder / "docs").symlink_to(tmp_path / "outside")
    assert [site.folder for site in find_sites(folder)] == [folder]


@pytest.mark.parametrize("linked", ["packages", "packages/a"])
def test_no_package_outside_of_the_project_is_looked_at(write: Write, tmp_path: Path, linked: str) -> None:
    folder, outside = write({"package.json": "{}"}), tmp_path / "outside"
    (outside / "a").mkdir(parents=True)
    for place in (outside, outside / "a"):
        (place / "mkdocs.yml").write_text("site_name: a")
    (folder / linked).parent.mkdir(exist_ok=True)
    (folder / linked).symlink_to(outside)
    assert list(sites_below(folder)) == []


@pytest.mark.parametrize(
    ("folders", "versions", "languages"),
    [
        (["1.0", "2.0", "latest", "css"], ["1.0", "2.0", "latest"], []),
        (["v1", "v2.x", "v3.0.0-rc.1"], ["v1", "v2.x", "v3.0.0-rc.1"], []),
        (["de", "pt-BR", "blog"], [], ["de", "pt-BR"]),
        (["stable", "de"], [], []),
        (["2024", "about"], [], []),
        ([], [], []),
    ],
)
def test_folders_with_a_page_are_versions_or_languages_by_their_names(
    write: Write, folders: list[str], versions: list[str], languages: list[str]
) -> None:
    found = find_parts(write({f"{name}/index.html": "" for name in folders}))
    assert (found.get("versions", []), found.get("languages", [])) == (versions, languages)


def test_a_folder_without_a_page_is_neither(write: Write) -> None:
    assert find_parts(write({"1.0/a.css": "", "2.0/a.css": ""})) == {}
    assert find_parts(write({}) / "absent") == {}


def test_a_declared_folder_of_a_generator_is_that_of_its_source_whatever_its_adapter_says(write: Write) -> None:
    astro = '{"dependencies": {"astro": "5", "@astrojs/cloudflare": "12"}}'
    files = {"site/package.json": astro, "site/wrangler.toml": 'pages_build_output_dir = "dist"'}
    (site,) = find_sites(write({"README.md": "", **files}))
    assert (site.kind.generator, site.kind.output, site.folder.name) == ("Astro", "dist", "site")


def test_what_is_built_for_a_host_of_files_alone_has_no_server(write: Write) -> None:
    nuxt = '{"dependencies": {"nuxt": "4"}, "scripts": {"build": "nuxt build"}}'
    steps = "[{run: npm run build}, {uses: peaceiris/actions-gh-pages@v4, with: {publish_dir: .output/public}}]"
    workflow = f"on: push\njobs: {{a: {{steps: {steps}}}}}"
    assert [each.kind.has_server for each in find_sites(write({"package.json": nuxt}))] == [True]
    (site,) = find_sites(write({"package.json": nuxt, ".github/workflows/a.yml": workflow}))
    assert (site.kind.has_server, site.declared is not None) == (False, True)


@pytest.mark.parametrize(
    ("folder", "outputs"), [("public", ["out", "public"]), ("static", ["out", "static"]), ("web", ["web"])]
)
def test_a_folder_that_a_host_s_file_names_although_a_generator_copies_it_is_asked_for(
    write: Write, folder: str, outputs: list[str]
) -> None:
    files = {
        "next.config.js": "module.exports = {output: 'export'}",
        "package.json": "{}",
        f"{folder}/index.html": PAGE,
    }
    found = find_sites(write({**files, "firebase.json": f'{{"hosting": {{"public": "{folder}"}}}}'}))
    assert [each.output.name for each in found] == outputs


def test_a_host_that_builds_a_site_without_a_named_folder_has_declared_it(write: Write) -> None:
    vercel = '{"buildCommand": "pnpm docs:build", "outputDirectory": "docs/.next"}'
    (found,) = find_sites(write({"docs/next.config.js": "", "docs/package.json": "{}", "vercel.json": vercel}))
    assert found.declared
    assert (found.folder.name, found.declared.host, found.declared_command) == ("docs", "vercel", "pnpm docs:build")


def test_a_folder_that_vercel_s_file_names_has_no_server(write: Write) -> None:
    nuxt = {"nuxt.config.ts": "", "package.json": '{"scripts": {"build": "nuxt build"}}'}
    assert find_sites(write(nuxt))[0].kind.has_server
    assert not find_sites(write({"vercel.json": '{"outputDirectory": ".output/public"}'}))[0].kind.has_server


def test_a_script_beside_a_host_s_file_builds_the_folder_that_it_names(write: Write) -> None:
    files = {"README.md": "", "website/firebase.json": '{"hosting": {"public": "build/docs"}}'}
    (found,) = find_sites(write({**files, "website/package.json": '{"scripts": {"build": "docusaurus-build"}}'}))
    assert (found.output.name, found.kind.command) == ("docs", "(cd website && npm run build)")


@pytest.mark.parametrize("script", ["build-storybook", "storybook:build", "build:storybook-static"])
def test_the_script_that_is_named_for_a_declared_folder_builds_it(write: Write, script: str) -> None:
    files = {"README.md": "", "firebase.json": '{"hosting": {"public": "storybook-static"}}'}
    (found,) = find_sites(write({**files, "package.json": f'{{"scripts": {{"build": "tsc", "{script}": "x"}}}}'}))
    assert found.kind.command == f"npm run {script}"


@pytest.mark.parametrize("source", ["docs/.vitepress/config.ts", "docs/readme.md"])
def test_a_workflow_of_another_branch_says_which_source_it_builds_and_declares_no_folder_that_is_absent(
    write: Write, source: str
) -> None:
    steps = "[{run: cd docs && npx vitepress build}, {uses: peaceiris/actions-gh-pages@v4, with: {publish_dir: OUT}}]"
    workflow = f"on: {{push: {{branches: [release]}}}}\njobs: {{a: {{steps: {steps}}}}}"
    files = {source: "", "docs/package.json": "{}", "index.html": PAGE}
    files[".github/workflows/a.yml"] = workflow.replace("OUT", "docs/.vitepress/dist")
    (found,) = find_sites(write(files), run=RunContext(("main",)))
    expected = ("docs", "generator") if source.endswith(".ts") else ("site", "static")
    assert (found.folder.name, found.kind.kind) == expected


@pytest.mark.parametrize(
    ("command", "folder", "generator"),
    [
        ("yarn build --out-dir _site", "_site", "Docusaurus"),
        ("npx docusaurus build --out-dir=./_site/", "_site", "Docusaurus"),
        ("yarn build --out-dir other", "_site", ""),
    ],
)
def test_a_command_that_names_the_published_folder_builds_the_source_beside_it(
    write: Write, command: str, folder: str, generator: str
) -> None:
    steps = f"[{{run: {command}}}, {{uses: peaceiris/actions-gh-pages@v4, with: {{publish_dir: {folder}}}}}]"
    files = {"docusaurus.config.js": "", "package.json": "{}"}
    (found,) = find_sites(write({**files, ".github/workflows/a.yml": f"on: push\njobs: {{a: {{steps: {steps}}}}}"}))
    assert (found.output.name, found.kind.generator) == (folder, generator)


def test_an_action_that_is_named_for_another_generator_does_not_build_a_source(write: Write) -> None:
    steps = [
        "{uses: someone/vuepress-deploy@v1}",
        "{uses: peaceiris/actions-gh-pages@v4, with: {publish_dir: docs/.vitepress/dist}}",
    ]
    text = f"on: push\njobs: {{a: {{steps: [{', '.join(steps)}]}}}}"
    page = PAGE + '<script type="module" src="/src/main.js"></script>'
    files = {"vite.config.js": "", "index.html": page, "docs/.vitepress/config.js": "", "package.json": "{}"}
    (found,) = find_sites(write({**files, ".github/workflows/a.yml": text}))
    assert found.kind.generator == "VitePress"


@pytest.mark.parametrize(("trigger", "outputs"), [("workflow_dispatch", ["out"]), ("push", ["_site", "out"])])
def test_a_workflow_that_only_somebody_starts_counts_less_than_one_that_a_push_starts(
    write: Write, trigger: str, outputs: list[str]
) -> None:
    job = "jobs: {a: {steps: [{uses: peaceiris/actions-gh-pages@v4, with: {publish_dir: DIR}}]}}"
    texts = {"a": f"on: {trigger}\n{job}".replace("DIR", "_site"), "b": f"on: push\n{job}".replace("DIR", "out")}
    found = find_sites(write({f".github/workflows/{name}.yml": text for name, text in texts.items()}))
    assert [each.output.name for each in found] == outputs
