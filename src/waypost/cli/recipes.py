"""The lines that add sitemaps to a site where it is built, for each host and each way of publishing.

`waypost init` prints those that a project needs, and the page of recipes shows all of them.
"""

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

KNOWN_TO_READ_THE_DOCS = ("MkDocs", "Sphinx")
"""What Read the Docs builds without a command."""

ADD_REMOTE = "(git remote add origin https://github.com/$VERCEL_GIT_REPO_OWNER/$VERCEL_GIT_REPO_SLUG || true)"
"""The command that names the repository where Vercel builds, from which history can be fetched, if nothing does."""
VERCEL_SCRIPT = "sitemaps.sh"
"""What makes the sitemaps on Vercel's builder, beside vercel.json, which is refused with a longer command than 256
characters (HomenShum/nodebench-ai#74, kitokoh/leopardo-hr#7181)."""


ENVIRONMENT = "/tmp/waypost"  # noqa: S108 - on a host's builder, which nobody shares
"""Where hosts install the program."""
WRITTEN = ("netlify", "vercel", "firebase", "read-the-docs", "gitlab-pages")
"""The hosts whose files have the lines; others take a command in their settings."""


class Tool(NamedTuple):
    """Waypost as lines name it: what pip installs, and the Action."""

    package: str
    action: str

    @property
    def install(self) -> str:
        """The command that installs the program into the environment that is there."""
        return self.install_by("pip")

    def install_by(self, pip: str) -> str:
        """The command that installs the program into the environment that this pip is for."""
        return f"{pip} install {shlex.quote(self.package)}"

    @property
    def install_apart(self) -> str:
        """The commands that install the program into an environment of its own, and go on in it.

        pip refuses any other where a distribution or uv manages Python (PEP 668), as on Vercel since 2026
        (vercel/vercel#14677, publiccodeyml/publiccode.yml#342).
        """
        return f"python3 -m venv {ENVIRONMENT} && . {ENVIRONMENT}/bin/activate && {self.install}"


class Site(NamedTuple):
    """A generator, as its recipes need it: its name, the command that builds, if it is known, and its output folder.

    `options` are those of the command that makes the sitemaps, with a space before them.
    """

    name: str
    command: str
    output: str
    is_node: bool
    options: str = ""


class Recipe(NamedTuple):
    """One way to publish: its name, the file or form to write, its language for the page, and a sentence."""

    host: str
    place: str
    language: str
    text: str
    sentence: str


class Lines(NamedTuple):
    """The lines that build a site, add its sitemaps and publish it."""

    site: Site
    tool: Tool

    def of_host(self, host: str) -> str:
        """The lines for the file of a host that builds the site itself, or its whole build command."""
        written = {
            "netlify": self.netlify,
            "vercel": self.vercel,
            "firebase": self.firebase,
            "gitlab-pages": self.gitlab_script,
        }
        return written[host]() if host in written else self.command()

    def command(self, options: str = " --fetch-history") -> str:
        """The command that builds the site and adds its sitemaps, for a host that runs one."""
        return " && ".join(filter(None, (self.site.command, *self._made(options))))

    def _made(self, options: str = " --fetch-history") -> tuple[str, str]:
        made = f"waypost build {shlex.quote(self.site.output)}{self.site.options}{options}"
        return self.tool.install_apart, made

    def pages(self) -> str:
        """Steps of a workflow that publishes on GitHub Pages by GitHub's own actions."""
        return f"""\
- uses: actions/checkout@v7
- run: {self.site.command}
- uses: {self.tool.action}
  with: {{source: {self.site.output}}}
- uses: actions/upload-pages-artifact@v5
  with: {{path: {self.site.output}}}"""

    def branch(self, domain: str = "", branch: str = "") -> str:
        """Commands that publish on GitHub Pages by pushing a branch, which names the domain if the site has its own.

        The branch is that of these programs, `gh-pages`, unless another one is given.
        """
        options = (f" --cname {domain}" if domain else "") + (f" --branch {shlex.quote(branch)}" if branch else "")
        output = self.site.output
        by_pip = f"pip install ghp-import && ghp-import --push --no-jekyll{options} {output}"
        push = f"npx gh-pages --dotfiles{options} --dist {output}" if self.site.is_node else by_pip
        return f"{self.site.command}\n{self.tool.install}\nwaypost build {output}{self.site.options}\n{push}"

    def netlify(self, table: str = "build", *, has_folder: bool = False) -> str:
        """The part of netlify.toml that builds: the table for all deploys, or for those of one context.

        A file that `has_folder` names the published one already.
        """
        publish = "" if has_folder else f"publish = {json.dumps(self.site.output)}\n"
        return f"""\
[{table}]
{publish}command = {json.dumps(self.command())}

[build.environment]
PYTHON_VERSION = "3.13\""""

    def cloudflare(self) -> str:
        """What to write in the settings of a project of Cloudflare Pages."""
        return f"Build command:          {self.command()}\nBuild output directory: {self.site.output}"

    def vercel(self) -> str:
        """The values of vercel.json that build."""
        command = " && ".join(filter(None, (self.site.command, f"sh {VERCEL_SCRIPT}")))
        # With it, Vercel looks there for what it needs of Next.js (vercel.com/docs/errors, "missing routes manifest").
        output = "" if self.site.name == "Next.js" else f',\n  "outputDirectory": {json.dumps(self.site.output)}'
        return f'{{\n  "buildCommand": {json.dumps(command)}{output}\n}}'

    def vercel_script(self) -> str:
        """The script beside vercel.json that makes the sitemaps."""
        return vercel_script(self._made())

    def firebase(self) -> str:
        """The values of `hosting` in firebase.json that build before a deployment."""
        return f"""\
"public": {json.dumps(self.site.output)},
"predeploy": [{json.dumps(self.command())}]"""

    def gitlab(self) -> str:
        """The job of GitLab's pipeline that publishes."""
        move = "" if self.site.output == "public" else f"    - mv {self.site.output} public\n"
        return f"{_gitlab_job(self.command(''))}\n{move}  artifacts: {{paths: [public]}}"

    def gitlab_script(self) -> str:
        """The lines for the job of GitLab's that publishes, of which the command comes after the build."""
        return f"{_gitlab_job(' && '.join(self._made('')))} # after the build; needs Python 3.11 in the image"

    def azure(self) -> str:
        """Steps of a workflow that publishes on Azure Static Web Apps."""
        return f"""\
- run: {self.site.command}
- uses: {self.tool.action}
  with: {{source: {self.site.output}}}
- uses: Azure/static-web-apps-deploy@v1
  with:
    {{action: upload, app_location: {self.site.output}, skip_app_build: true,
     azure_static_web_apps_api_token: "${{{{ secrets.AZURE_STATIC_WEB_APPS_API_TOKEN }}}}"}}"""

    def s3(self) -> str:
        """Commands that publish in a bucket behind CloudFront."""
        return f"""\
{self.site.command}
{self.tool.install}
waypost build {self.site.output}
aws s3 sync {self.site.output} s3://my-bucket --delete
aws cloudfront create-invalidation --distribution-id E2QWRUHAPOMQZL --paths '/sitemap*'"""

    def read_the_docs(self) -> str:
        """The part of .readthedocs.yaml that builds."""
        if self.site.name in KNOWN_TO_READ_THE_DOCS:
            return f"version: 2\n{self.read_the_docs_jobs()}"
        install = "    - npm ci\n" if self.site.is_node else ""
        return f"""\
version: 2
build:
  os: ubuntu-24.04
  tools: {self._tools}
  commands:
    - git fetch --unshallow || true
{install}    - {json.dumps(f"{self.site.command} && {self.tool.install}")}
    - waypost build {self.site.output} --base-url "$READTHEDOCS_CANONICAL_URL"
    - mkdir -p "$READTHEDOCS_OUTPUT" && mv {self.site.output} "$READTHEDOCS_OUTPUT/html\""""

    def read_the_docs_commands(self) -> str:
        """What comes after the commands of a .readthedocs.yaml that names all of them."""
        return f"""\
    - git fetch --unshallow || true
    - {json.dumps(self.tool.install)}
    - waypost build "$READTHEDOCS_OUTPUT/html"{self.site.options} --base-url "$READTHEDOCS_CANONICAL_URL\""""

    @property
    def _tools(self) -> str:
        return '{python: "3.13", nodejs: "22"}' if self.site.is_node else '{python: "3.13"}'

    def read_the_docs_jobs(self, *, has_tools: bool = False) -> str:
        """The part of .readthedocs.yaml that builds where Read the Docs builds the site without a command.

        It says what to build with, unless the file has that already.
        """
        tools = "" if has_tools else f"  os: ubuntu-24.04\n  tools: {self._tools}\n"
        return f"""\
build:
{tools}  jobs:
    post_checkout: ["git fetch --unshallow || true"]
    post_build:
      - {json.dumps(self.tool.install)}
      - waypost build "$READTHEDOCS_OUTPUT/html" --base-url "$READTHEDOCS_CANONICAL_URL\""""


def vercel_script(commands: Sequence[str]) -> str:
    """A script for Vercel's builder, which keeps no remote, from which history could come."""
    return "\n".join(["set -e", ADD_REMOTE, *commands])


def _gitlab_job(command: str) -> str:
    """The beginning of GitLab's job that publishes, up to a command."""
    return f"pages:\n  variables: {{GIT_DEPTH: 0}}\n  script:\n    - {json.dumps(command)}"


_RECIPES: Sequence[tuple[str, str, str, Callable[[Lines], str], str]] = (
    (
        *("GitHub Pages by Actions", "`.github/workflows/…`", "yaml", Lines.pages),
        "In the job that builds; a job with `actions/deploy-pages` publishes.",
    ),
    (
        *("GitHub Pages by a branch", "Where you build", "sh", Lines.branch),
        "The last line pushes the folder to the branch `gh-pages`.",
    ),
    (
        *("Netlify", "`netlify.toml`", "toml", Lines.netlify),
        "The deploy preview of a pull request has the same sitemap.",
    ),
    (
        *("Cloudflare Pages", "Settings of the project, Build", "text", Lines.cloudflare),
        "`--fetch-history` completes the shallow clone.",
    ),
    (
        *("Vercel", "`vercel.json`", "json", Lines.vercel),
        "For Next.js, leave `outputDirectory` out.",
    ),
    (
        *("Vercel", f"`{VERCEL_SCRIPT}`, beside it", "sh", Lines.vercel_script),
        "A command in `vercel.json` has 256 characters at most. Vercel keeps no remote: the second line names yours.",
    ),
    (
        *("GitLab Pages", "`.gitlab-ci.yml`", "yaml", Lines.gitlab),
        "Without `mv` where the folder is `public`. For a site that an earlier job has built, there is [a "
        "component](install.md#in-gitlab).",
    ),
    (
        *("Azure Static Web Apps", "`.github/workflows/…`", "yaml", Lines.azure),
        "The folder is deployed as it is, without another build.",
    ),
    (
        *("S3 and CloudFront", "Where you deploy", "sh", Lines.s3),
        "For a bucket that several tools fill, use [the function](function.md).",
    ),
    (
        *("Read the Docs", "`.readthedocs.yaml`", "yaml", Lines.read_the_docs),
        "The base URL is that of the version that is built.",
    ),
)


def recipes(site: Site, tool: Tool) -> Iterator[Recipe]:
    """The recipe of each host for a generator."""
    lines = Lines(site, tool)
    return (Recipe(host, place, language, text(lines), said) for host, place, language, text, said in _RECIPES)
