"""The actions and commands that publish a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from publishing import RUNS, WORKFLOW, folders_in, found_in, workflow

from waypost.project.publishers import ACTIONS, COMMANDS

if TYPE_CHECKING:
    from sites import Write


@pytest.mark.parametrize(
    ("command", "name", "folder"),
    [
        ("npx docusaurus deploy", "docusaurus deploy", None),
        ("mike deploy --push 1.0 latest", "mike deploy", None),
        ("python -m mkdocs gh-deploy --force", "mkdocs gh-deploy", None),
        ("quarto publish gh-pages --no-prompt", "quarto publish", None),
        ("ghp-import -np site", "ghp-import", "site"),
        ("ghp-import -m x -p -f site", "ghp-import", "site"),
        ("ghp-import -m 'the site' -b gh-pages site", "ghp-import", "site"),
        ("ghp-import -m'the site' '--cname=a.dev' -f site", "ghp-import", "site"),
        ("npx --yes gh-pages@6 --dotfiles -d site", "gh-pages", "site"),
        ("yarn gh-pages --dist=site", "gh-pages", "site"),
        ("git subtree push --prefix site origin gh-pages", "git subtree push", "site"),
        ("aws s3 sync site s3://bucket --delete", "aws s3 sync", "site"),
        ("aws --region a s3 cp --recursive site/ s3://bucket", "aws s3 sync", "site"),
        ("gsutil -m rsync -r site gs://bucket", "gcloud storage rsync", "site"),
        ("az storage blob upload-batch --account-name a -s site -d '$web'", "az storage blob upload-batch", "site"),
        ("npx netlify deploy --prod --dir site", "netlify deploy", "site"),
        ("npx netlify deploy --dir site", "", None),
        ("npx netlify-cli deploy -p -d site", "netlify deploy", "site"),
        ("npx wrangler pages deploy site --project-name a", "wrangler pages deploy", "site"),
        ("pnpm exec wrangler pages deploy --project-name a site", "wrangler pages deploy", "site"),
        ("npx wrangler deploy", "wrangler deploy", None),
        ("firebase deploy --only hosting", "firebase deploy", None),
        ("firebase deploy --only functions", "", None),
        ("vercel --prod --token=$TOKEN", "vercel deploy", None),
        ("vercel deploy --prebuilt --prod", "vercel deploy --prebuilt", ".vercel/output/static"),
        ("vercel build --prod", "", None),
        ("swa deploy ./site --env production", "swa deploy", "site"),
        ("surge site a.surge.sh", "surge", "site"),
        ("rsync -a site/ host.example:/var/www", "rsync", "site"),
        ("rsync -c site/ -e ssh me@host:www --delete", "rsync", "site"),
        ("rsync -a site/ --exclude .git host.example:www", "rsync", "site"),
        ("rsync me@host:www site/", "", None),
        ("rsync -a -e ssh --delete site/ $(PLACE)", "rsync", "site"),
        ('rsync -az -e "ssh -p 22" site/ me@host:www', "rsync", "site"),
        ("scp -r site me@host:www", "scp", "site"),
        ("FOO=1 sudo rsync -a site/ backup/", "", None),
        ("echo mkdocs gh-deploy", "", None),
        ("cd web && npx gh-pages -d site", "gh-pages", "web/site"),
        ("'npm run deploy'", "gh-pages", "out"),
        ("make deploy", "surge", "site"),
        ("ghp-import -p $OUT", "ghp-import", None),
        ("julia --project=docs docs/make.jl", "deploydocs", None),
    ],
)
def test_a_command_that_publishes_is_seen_with_its_folder(
    write: Write, command: str, name: str, folder: str | None
) -> None:
    scripts = '{"scripts": {"predeploy": "make", "deploy": "gh-pages -d out"}}'
    files = {WORKFLOW: RUNS.format(command=command)}
    files |= {"package.json": scripts} if "npm run" in command else {}
    files |= {"Makefile": "deploy:\n\tsurge site\n"} if command.startswith("make ") else {}
    files |= {"docs/make.jl": "makedocs(a = 1)\ndeploydocs(\n  repo = x)\n"}
    found = found_in(write(files))
    assert [each.publisher for each in found] == ([name] if name else [])
    assert [path for each in found for path in each.folders] == ([folder] if folder else [])


@pytest.mark.parametrize(
    ("name", "run", "folder"),
    [
        ("Deploy to a host", "npx -y @host/up a.example site", "site"),
        ("🚀 Publish", "|\n          echo $X\n          up --token $X site/html", "site/html"),
        ("Upload", "npm run upload site", None),
        ("Upload", "up --token $X", None),
        ("Upload coverage to npm", "up site", None),
        ("Publish a module", "Publish-Module -Path $X -Repository Gallery", None),
        ("Look at it", "up site", None),
    ],
)
def test_the_last_command_of_a_step_that_is_named_for_it_may_publish_a_folder(
    write: Write, name: str, run: str, folder: str | None
) -> None:
    found = found_in(
        write({WORKFLOW: f"on: push\njobs:\n  a:\n    steps:\n      - name: {name}\n        run: {run}\n"})
    )
    assert [each.folders for each in found] == ([(folder,)] if folder else [])
    assert all(each.copies for each in found)


@pytest.mark.parametrize("name", [name for name, row in ACTIONS.items() if not row.script.startswith("git ")])
def test_each_action_that_publishes_is_seen(write: Write, name: str) -> None:
    row = ACTIONS[name]
    lines = [f"{row.folder or 'x'}: out", *(f"{key}: {value}" for key, value in row.needs.items())]
    inputs = "{" + ", ".join(lines) + "}"
    if row.script:
        inputs = {"wrangler": "command: pages deploy out", "firebase": "args: deploy --only hosting"}.get(
            row.script.partition(" ")[0], "args: deploy --prod --dir=out"
        )
    found = found_in(write(workflow(f"{name}@v1", inputs)))
    published = [each for each in found if each.publisher != "actions/deploy-pages"] or found
    assert len({each.publisher for each in published}) == 1
    if row.folder:
        assert published[0].folders == ("out",)


@pytest.mark.parametrize("name", [*ACTIONS, *COMMANDS])
def test_each_row_says_where_it_is_written(name: str) -> None:
    row = ACTIONS.get(name) or COMMANDS[name]
    assert row.source
    assert "." in row.source.split(" ")[0]


@pytest.mark.parametrize("name", ["publish_dir", "PUBLISH_DIR"])
def test_a_folder_may_be_named_by_a_variable_as_the_inputs_of_actions_once_were(write: Write, name: str) -> None:
    text = str(workflow("peaceiris/actions-gh-pages@v2", "publish_dir: out")[WORKFLOW])
    text = text.replace("publish_dir: out", "x: y").replace("with:", f"env: {{{name}: ./out}}\n        with:")
    assert folders_in(write({WORKFLOW: text})) == [("out",)]


@pytest.mark.parametrize(
    ("action", "inputs", "repository", "target"),
    [
        ("peaceiris/actions-gh-pages", "{external_repository: a/docs, destination_dir: /v1/}", "a/docs", "v1"),
        ("JamesIves/github-pages-deploy-action", "{repository-name: a/docs, target-folder: v1}", "a/docs", "v1"),
        ("JamesIves/github-pages-deploy-action", "{folder: out}", "", ""),
    ],
)
def test_a_site_may_go_to_another_repository_and_into_a_folder_there(
    write: Write, action: str, inputs: str, repository: str, target: str
) -> None:
    found = next(each for each in found_in(write(workflow(f"{action}@v4", inputs))) if each.publisher == action)
    assert (found.repository, found.target) == (repository, target)


def test_the_folder_of_an_action_is_relative_to_the_one_in_which_it_works(write: Write) -> None:
    inputs = "{workingDirectory: docs, directory: build/html}"
    assert folders_in(write(workflow("cloudflare/pages-action@v1", inputs))) == [("docs/build/html",)]


def test_the_name_of_an_action_has_no_case(write: Write) -> None:
    found, *_ = found_in(write(workflow("Reggionick/S3-Deploy@v4", "folder: out")))
    assert (found.publisher, found.folders) == ("reggionick/s3-deploy", ("out",))


@pytest.mark.parametrize(
    ("action", "inputs", "expected"),
    [
        ("someone/ftp-deploy", "{server: a.test, local-dir: ./out}", ("", ("out",), False, True)),
        ("someone/deploy-to-host", "{path: out, key: x}", ("", ("out",), False, True)),
        ("someone/hugo-deploy-gh-pages", "{branch: x}", ("Hugo", (), True, False)),
        ("someone/pypi-publish", "{path: dist}", None),
        ("someone/netlify-cli-action", "{args: deploy --dir=out}", None),
        ("someone/deploy-docker-image", "{path: out}", None),
        ("someone/checks", "{path: out}", None),
    ],
)
def test_an_action_that_no_row_has_is_known_by_its_name(
    write: Write, action: str, inputs: str, expected: tuple[str, tuple[str, ...], bool, bool] | None
) -> None:
    found = [each for each in found_in(write(workflow(f"{action}@v1", inputs))) if each.publisher == action]
    assert [(each.generator, each.folders, each.builds, each.copies) for each in found] == (
        [expected] if expected else []
    )


def test_an_action_for_the_command_line_of_a_program_publishes_as_that_does(write: Write) -> None:
    steps = workflow("someone/action-netlify-cli@v2", "args: deploy --dir=out --prod")
    (found,) = (each for each in found_in(write(steps)) if each.folders)
    assert (found.publisher, found.host, found.folders) == ("netlify deploy", "netlify", ("out",))


@pytest.mark.parametrize(("value", "is_published"), [("true", False), ("false", True)])
def test_an_action_that_is_told_to_build_only_publishes_nothing(
    write: Write, value: str, *, is_published: bool
) -> None:
    steps = f"[{{uses: shalzz/zola-deploy-action@v1, env: {{BUILD_ONLY: {value}}}}}]"
    found = found_in(write({WORKFLOW: f"on: push\njobs: {{a: {{steps: {steps}}}}}"}))
    assert bool(found) == is_published


@pytest.mark.parametrize(("value", "is_published"), [("false", False), ("true", True)])
def test_a_preview_publishes_no_site(write: Write, value: str, *, is_published: bool) -> None:
    found = found_in(write(workflow("nwtgck/actions-netlify@v3", f"{{publish-dir: out, production-deploy: {value}}}")))
    assert any(each.folders for each in found) == is_published


def test_the_folder_above_may_begin_with_a_slash(write: Write) -> None:
    inputs = "{app_location: /site, output_location: '', skip_app_build: true}"
    assert folders_in(write(workflow("Azure/static-web-apps-deploy@v1", inputs))) == [("site",)]
