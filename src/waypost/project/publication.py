"""What publishes a project's site: a workflow's action or command, or the file of a host."""

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from waypost.project.shell_commands import IN_FOLDER

_PART_OF_SCRIPT = re.compile(r"(?:\(cd \S+ && )?(?:if|then|else|elif|fi|for|while|do|done|case|esac)\b|[^\n]*[\\{}]$")
_INSTALLS = re.compile(
    r"(?:\(cd \S+ && )?(?:npm (?:ci|i|install|list|ls|config|prune|cache)|(?:pnpm|bun) (?:i|install)"
    r"|(?:yarn|bundle)(?: install|(?= -|\)|\Z))|(?:uv |python3? -m )?pip3? install|uv sync|poetry install|gem install"
    r"|corepack|install|locale-gen|(?:sudo )?(?:apt|apt-get|snap|brew)|git"
    r"|cargo(?: binstall| install| cache)|rustup|dotnet tool|pelican-themes|go (?:mod|get|install)"
    r"|asdf|mise|nvm)(?:[ )]|\Z)"
)
_STARTERS = r"(?:(?:npx|uv run|poetry run|bundle exec|python3? -m) )?"
_NO_BUILD = re.compile(
    r"(?:\(cd \S+ && )?(?:\[|'\[|-|(?:test|true|cut|sort|head|tail|grep|sed|awk|tr|uniq|wc|tee|xargs|jq|echo|ln|rm"
    r"|rmdir|find|touch|chmod|curl|wget|tar|unzip|export|set|ls|cat|which|date|sudo|aws|gcloud|az)\b"
    r"|python3? -c |(?:python3? -m )?pip (?:list|freeze|show|check)\b"
    r"|(?:ba)?sh(?: -\S+)*\)?\Z|(?:ba)?sh -s\b|env\)?\Z|ssh-\w+ "
    r"|(?:[\w.-]+ )*(?:--version|-[vV]|--help|version)\)?\Z"
    rf"|{_STARTERS}(?:hugo|mkdocs|zola|mdbook|jekyll|quarto|hexo|eleventy|nikola|docusaurus|astro) (?:serve|server|s"
    r"|dev|start|preview|new|init|check|doctor|clean|test|mod|env|config|list|gen|convert|import|get-deps|add|install)\b)"
)
"""What prepares a runner, or asks a program something, and builds nothing (each generator's commands)."""
_AND = re.compile(r" && (?![^()]{0,2000}\))")
"""What is between the commands of a host's file, but not in a group, which nobody writes longer."""
_NOT_DIVIDED = re.compile(r"['\"]|\bcd ")
"""What is in a group whose commands do not all run in one folder, or that is no plain list."""
_UNKNOWN_OPTION = re.compile(r" --?[\w-]+[ =](?:'[^']*\$[^']*'|[^\s)]*\$[^\s)]*)")
_BUILDS = re.compile(rf"(?:\(cd \S+ && )?{_STARTERS}(?:hugo|zola|mkdocs|mdbook|jekyll|quarto|hexo|pelican|astro) ")
"""What builds a site, whatever options it has: those whose values only the host knows are left out."""
_OF_PACKAGES = re.compile(
    r"((?:^|&& )(?:\(cd \S+ && )?)(?=(?:nuxt|vite|astro|next|gatsby|docusaurus|eleventy|vuepress|vitepress|ng|hexo"
    r"|react-scripts|vue-cli-service|parcel|antora|honkit) )"
)
"""Where a program of a package begins, which only a script of package.json finds without `npx`."""
_CHANGES_NOTHING = re.compile(
    r"(?:git|env\Z|mkdir|echo|printf|cat|ls|chmod|eval|export|set|ssh-\w+|which|date)(?: |\Z)"
)
_MOST_TYPED = 200
"""The most characters of a command that somebody would type."""
OF_RUN = 0
"""The rank of what publishes on the host that runs this program, on which the site is built already."""
History = Literal["whole", "shallow", "none"]


class Step(Struct, frozen=True):
    """The step of a workflow that publishes: its job, its number in it, what names it, and how much history it has.

    `history` is `none` if the job checks out no repository. `command` is what publishes, if a command does, in a
    `folder`; the commands of the job begin in `place`. The step `is_shared` if its script builds something before that
    one, and `is_called` if a script that it runs has it. It runs on a `condition`, if it has one.
    """

    job: str
    number: int
    name: str
    history: History = "none"
    command: str = ""
    is_shared: bool = False
    is_called: bool = False
    folder: str = "."
    place: str = "."
    condition: str = ""


class Publication(Struct, frozen=True):
    """One way in which a project publishes a site, and the file that says so.

    `folders` are where the published folder may be, relative to the root of the repository: Netlify's `publish` is read
    from its `base` and from the root. There are none if the folder is not known. `commands` build it. `publisher` is
    the action or command of a workflow, which `builds` the site itself or needs it built, and `step` is its place.
    `generator` is the one whose output it publishes. `rank` is the place of this evidence in the order of all: what is
    smaller counts more. `source` is the folder of the site's source, where the file names it. `copies` if it publishes
    any folder, which need not be a site, and `commits` if it puts the files of the folder into the branch that is
    checked out. What is `of_commits` publishes what Git has of the folder. It goes to another `repository`, or to a
    `branch`, if these are named, and there into the folder `target`; or to a `site` of a host that has several.
    `is_deployed` is false if another workflow must deploy what it uploads, and it `is_manual` if only somebody starts
    that. `script` is the name of the script of package.json, or of the target, that somebody runs.
    """

    file: str
    host: str = ""
    folders: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    publisher: str = ""
    generator: str = ""
    builds: bool = False
    step: Step | None = None
    source: str | None = None
    copies: bool = False
    commits: bool = False
    of_commits: bool = False
    repository: str = ""
    branch: str = ""
    target: str = ""
    site: str = ""
    script: str = ""
    is_deployed: bool = True
    is_manual: bool = False
    rank: int = 0
    exists: bool = False

    @property
    def is_pipeline(self) -> bool:
        """Whether it is a pipeline, which is as certain as a workflow, and builds what it likes."""
        return self.host == "gitlab-pages" and not self.step

    @property
    def is_built_by_host(self) -> bool:
        """Whether a host other than the one of the run builds the site, by the commands in its file or its own ones."""
        builds = self.host == "read-the-docs" or bool(self.commands and self.host)
        return builds and not self.publisher and self.rank != OF_RUN

    @property
    def building(self) -> Sequence[str]:
        """The commands, each alone, without those that install, prepare a runner or need what only the host knows."""
        each_alone = (part for each in self.commands for part in _each_alone(each))
        known = (_UNKNOWN_OPTION.sub("", each) if _BUILDS.match(each) else each for each in each_alone)
        plain = [each for each in known if not (_NO_BUILD.match(each) or "$" in each or "~" in each)]
        return [each for each in plain if not _INSTALLS.match(each)]

    @property
    def command(self) -> str:
        """The commands as they would be typed; empty if there are none, or if they are a script.

        What installs is not among them: who builds the site has done that. Of a script, with `if` or a loop, only what
        runs a generator outside of these counts.
        """
        building = self.building
        if any(map(_PART_OF_SCRIPT.match, building)):
            building = [each for each in building if _BUILDS.match(each)] or building
        command = _OF_PACKAGES.sub(r"\1npx ", " && ".join(building))
        is_script = any(map(_PART_OF_SCRIPT.match, building)) or not command.isprintable()
        return "" if is_script or len(command) > _MOST_TYPED else command


def _each_alone(command: str) -> Sequence[str]:
    """The commands of a line, each in the folder in which all of them run."""
    group = IN_FOLDER.fullmatch(command)
    if group is None or _NOT_DIVIDED.search(group[2]):
        return _AND.split(command)
    return [f"(cd {group[1]} && {each})" for each in group[2].split(" && ")]


def prepares(command: str) -> bool:
    """Whether a command of a script changes nothing of what is published after it."""
    return bool(_INSTALLS.match(command) or _CHANGES_NOTHING.match(command))


class RunContext(Struct, frozen=True):
    """What is known of a run before its project is read.

    `branches` are the one that is checked out and the default one, as far as Git knows them; `host` is the one whose
    builder runs this program, and `domain` that of the base URL, if one is set.
    """

    branches: tuple[str, ...] = ()
    host: str = ""
    domain: str = ""


UNKNOWN_RUN = RunContext()
PUBLISHED_BRANCH = "gh-pages"
"""The branch that GitHub Pages publishes as it is, or by Jekyll, whatever the files of other branches say."""
