"""The recipes in docs/recipes.md: for each generator, the lines that add its sitemap wherever the site is deployed."""

import json
import shlex
from collections.abc import Iterator
from typing import NamedTuple

from waypost import SHOWN_ACTION, SHOWN_PACKAGE
from waypost.project.generator import Generator, generators

INSTALL = f"pip install {shlex.quote(SHOWN_PACKAGE)}"
NO_SITES = frozenset(
    ["React Router", "Remix", "SolidStart", "TanStack Start", "Qwik", "Angular", "Create React App", "Vite", "Parcel"]
)
"""What builds applications, whose routes are often no files; docs/faq.md says what to do there."""
JEKYLL = Generator("Jekyll", "bundle exec jekyll build", ("_site",), "node", ("_config.yml",))
_COMMAND, _OUTPUT = "COMMAND", "OUTPUT"
_KNOWN_TO_READ_THE_DOCS = ("MkDocs", "Sphinx")
"""What Read the Docs builds without a command."""
ROOT_COMMANDS = {"VitePress": ("npx vitepress build docs", "docs/.vitepress/dist")}
"""The usual command and output where the first row of the table is for another layout."""


class Site(NamedTuple):
    """A generator, as its recipes need it: its name, the command that builds, and the folder that it writes."""

    name: str
    command: str
    output: str
    is_node: bool


class Recipe(NamedTuple):
    """One host: its name, the file or form to write, its language for the page, and a sentence."""

    host: str
    place: str
    language: str
    text: str
    sentence: str


def sites() -> list[Site]:
    """The generators of sites, by name."""
    found: dict[str, Site] = {}
    for each in (*generators(), JEKYLL):
        if each.name not in {*NO_SITES, *found}:
            command, output = ROOT_COMMANDS.get(each.name, (each.command, each.outputs[0]))
            found[each.name] = Site(each.name, command, output, is_node=each.toolchain == "node" and each is not JEKYLL)
    return sorted(found.values(), key=lambda site: site.name.lower())


def recipes(site: Site) -> Iterator[Recipe]:
    """The recipe of each host for a generator."""
    yield Recipe(
        "GitHub Pages by Actions",
        "`.github/workflows/…`",
        "yaml",
        _pages(site),
        "In the job that builds; a job with `actions/deploy-pages` publishes.",
    )
    yield Recipe(
        "GitHub Pages by a branch",
        "Where you build",
        "sh",
        _branch(site),
        "The last line pushes the folder to the branch `gh-pages`.",
    )
    yield Recipe(
        "Netlify",
        "`netlify.toml`",
        "toml",
        _netlify(site),
        "The deploy preview of a pull request has the same sitemap.",
    )
    yield Recipe(
        "Cloudflare Pages",
        "Settings of the project, Build",
        "text",
        _cloudflare(site),
        "`--fetch-history` completes the shallow clone.",
    )
    yield Recipe(
        "Vercel", "`vercel.json`", "json", _vercel(site), "Vercel keeps no remote: the second command names yours."
    )
    yield Recipe(
        "GitLab Pages",
        "`.gitlab-ci.yml`",
        "yaml",
        _gitlab(site),
        "Without `mv` where the folder is `public`. For a site that an earlier job has built, there is [a "
        "component](install.md#in-gitlab).",
    )
    yield Recipe(
        "Azure Static Web Apps",
        "`.github/workflows/…`",
        "yaml",
        _azure(site),
        "The folder is deployed as it is, without another build.",
    )
    yield Recipe(
        "S3 and CloudFront",
        "Where you deploy",
        "sh",
        _s3(site),
        "For a bucket that several tools fill, use [the function](function.md).",
    )
    yield Recipe(
        "Read the Docs",
        "`.readthedocs.yaml`",
        "yaml",
        _read_the_docs(site),
        "The base URL is that of the version that is built.",
    )


def page() -> str:
    """A table of the generators, and then each host's recipe for all of them."""
    shown = [Site("", _COMMAND, _OUTPUT, is_node=False), Site("", _COMMAND, _OUTPUT, is_node=True)]
    shown.append(shown[0]._replace(name=_KNOWN_TO_READ_THE_DOCS[0]))
    rows = [f"| {site.name} | `{site.command}` | `{site.output}` |" for site in sites()]
    parts = ["\n".join(["| generator | `COMMAND` | `OUTPUT` |", "|---|---|---|", *rows]) + "\n"]
    for plain, node, known in zip(*map(recipes, shown), strict=True):
        parts.append(f"### {plain.host}\n\n{plain.place}:\n\n{_block(plain)}\n")
        if node.text != plain.text:
            parts.append(f"With Node (`npx`):\n\n{_block(node)}\n")
        if known.text != plain.text:
            parts.append(f"For {' and '.join(_KNOWN_TO_READ_THE_DOCS)}:\n\n{_block(known)}\n")
        parts.append(f"{plain.sentence}\n")
    return "\n".join(parts).rstrip()


def _block(recipe: Recipe) -> str:
    return f"```{recipe.language}\n{recipe.text}\n```"


def _and_sitemap(site: Site, options: str = " --fetch-history") -> str:
    return f"{site.command} && python3 -m {INSTALL} && waypost build {shlex.quote(site.output)}{options}"


def _pages(site: Site) -> str:
    return f"""\
- uses: actions/checkout@v7
- run: {site.command}
- uses: {SHOWN_ACTION}
  with: {{source: {site.output}}}
- uses: actions/upload-pages-artifact@v5
  with: {{path: {site.output}}}"""


def _branch(site: Site) -> str:
    push = (
        f"npx gh-pages --dotfiles --dist {site.output}"
        if site.is_node
        else f"ghp-import --push --no-jekyll {site.output}"
    )
    return f"{site.command}\n{INSTALL}\nwaypost build {site.output}\n{push}"


def _netlify(site: Site) -> str:
    return f"""\
[build]
publish = {json.dumps(site.output)}
command = {json.dumps(_and_sitemap(site))}
environment = {{ PYTHON_VERSION = "3.13" }}"""


def _cloudflare(site: Site) -> str:
    return f"Build command:          {_and_sitemap(site)}\nBuild output directory: {site.output}"


def _vercel(site: Site) -> str:
    remote = "git remote add origin https://github.com/$VERCEL_GIT_REPO_OWNER/$VERCEL_GIT_REPO_SLUG"
    first, _, rest = _and_sitemap(site).partition(" && ")
    return f"""\
{{
  "buildCommand": {json.dumps(f"{first} && {remote} && {rest}")},
  "outputDirectory": {json.dumps(site.output)}
}}"""


def _gitlab(site: Site) -> str:
    move = "" if site.output == "public" else f"    - mv {site.output} public\n"
    return f"""\
pages:
  variables: {{GIT_DEPTH: 0}}
  script:
    - {json.dumps(_and_sitemap(site, ""))}
{move}  artifacts: {{paths: [public]}}"""


def _azure(site: Site) -> str:
    return f"""\
- run: {site.command}
- uses: {SHOWN_ACTION}
  with: {{source: {site.output}}}
- uses: Azure/static-web-apps-deploy@v1
  with:
    {{action: upload, app_location: {site.output}, skip_app_build: true,
     azure_static_web_apps_api_token: "${{{{ secrets.AZURE_STATIC_WEB_APPS_API_TOKEN }}}}"}}"""


def _s3(site: Site) -> str:
    return f"""\
{site.command}
{INSTALL}
waypost build {site.output}
aws s3 sync {site.output} s3://my-bucket --delete
aws cloudfront create-invalidation --distribution-id E2QWRUHAPOMQZL --paths '/sitemap*'"""


def _read_the_docs(site: Site) -> str:
    tools = '{python: "3.13", nodejs: "22"}' if site.is_node else '{python: "3.13"}'
    if site.name in _KNOWN_TO_READ_THE_DOCS:
        return f"""\
version: 2
build:
  os: ubuntu-24.04
  tools: {tools}
  jobs:
    post_checkout: ["git fetch --unshallow || true"]
    post_build:
      - {json.dumps(INSTALL)}
      - waypost build "$READTHEDOCS_OUTPUT/html" --base-url "$READTHEDOCS_CANONICAL_URL\""""
    install = "    - npm ci\n" if site.is_node else ""
    return f"""\
version: 2
build:
  os: ubuntu-24.04
  tools: {tools}
  commands:
    - git fetch --unshallow || true
{install}    - {json.dumps(f"{site.command} && {INSTALL}")}
    - waypost build {site.output} --base-url "$READTHEDOCS_CANONICAL_URL"
    - mkdir -p "$READTHEDOCS_OUTPUT" && mv {site.output} "$READTHEDOCS_OUTPUT/html\""""
