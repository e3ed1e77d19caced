"""The Action's inputs, one field of `Inputs` each. Settings without an input go into the input `settings`."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from waypost.core import tree_files
from waypost.core.data_files import DataError, load_toml
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.places import place_of
from waypost.git import CommitMessage
from waypost.github.push_target import is_branch_name
from waypost.settings.checks import Check, InvalidValue, choice
from waypost.settings.load import ConfigSource
from waypost.settings.schema import SETTINGS
from waypost.settings.setting import Setting, flag_setting, setting, settings_of, to_toml

VARIABLE = "WAYPOST_INPUTS"
"""The variable with the inputs, a JSON object."""
STEP_INPUTS = "the step's inputs"
"""The name of the inputs in messages."""
_BOT = "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>"
_SETTINGS = {each.name: each for each in SETTINGS}
_SETTING_INPUTS = ("base_url", "include", "exclude")
"""The settings that have an input of their own."""
_REMOVED = {"sign-off": "end the input message with the line `Signed-off-by: NAME <ADDRESS>`"}
"""What to write in place of inputs of earlier versions that were no settings."""
_LONGEST_NAME = 64


def workspace(environ: Mapping[str, str]) -> Path:
    """The folder in which the job runs."""
    return Path(environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()


def input_path(root: Path, name: str, path: str) -> Path:
    """Where the path leads that an input names.

    A path that is written as one outside of the workspace, such as a temporary folder's path, is the workflow's own.
    Raises ConfigurationError for a URL, and if a link leads out of the workspace.
    """
    if place_of(path).kind != "path":
        issue = ConfigIssue(STEP_INPUTS, name, f"{path!r} is a URL, and no path", "a path in the workspace")
        raise ConfigurationError((issue,))
    if tree_files.leads_out(root / path, root):
        problem = f"{path!r} is a link that leads out of the workspace, or lies in .git"
        raise ConfigurationError((ConfigIssue(STEP_INPUTS, name, problem, "a path in the workspace"),))
    return (root / path).resolve()


def _push(value: str) -> str:
    return choice("auto", "true", "false")(value.lower())


def _commit(value: str) -> str:
    return choice("true", "false", "pull-request")(value.lower())


def _branch(value: str) -> str:
    if value and not is_branch_name(value):
        raise InvalidValue(("", f"{value!r} is not a branch name"))
    return value


def _author(value: str) -> str:
    if not CommitMessage.is_author(value):
        raise InvalidValue(("", f"{value!r} is not an author"))
    return value


def _toml_settings(value: str) -> ConfigSource:
    try:
        return ConfigSource("the input settings", load_toml(value), is_trusted=True)
    except DataError as error:
        raise InvalidValue(("", str(error))) from None


def _lines(value: str) -> tuple[str, ...]:
    return tuple(stripped for line in value.split("\n") if (stripped := line.strip()))


def _setting_input(name: str, check: Check, more: str = "") -> Any:
    """An input for a setting, whose value is checked together with all settings."""
    return setting(check, "", meaning=_SETTINGS[name].meaning + more, allowed=_SETTINGS[name].allowed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What a workflow asks for.

    `config_sources` are the settings among the inputs; a later one overrides those before it. `issues` are mistakes in
    the inputs, to be reported together with the issues of the settings.
    """

    base_url: str = _setting_input("base_url", str)
    source: str = setting(
        str,
        "",
        meaning="The folder that is published. Empty: the folder that is recognised as the site of the workspace.",
        allowed="a path in the workspace",
    )
    repository: str = setting(
        str,
        "",
        meaning="The folder of the checkout that the site is in: the `path` of actions/checkout. Empty: the workspace.",
        allowed="a path in the workspace",
    )
    output: str = setting(
        str,
        "",
        meaning="The folder to write the sitemaps to. Empty: the folder `source`.",
        allowed="a path in the workspace",
    )
    config: str = setting(
        str,
        "",
        meaning="The settings file. Empty: waypost.toml or pyproject.toml in the folder `source` or in the root of the "
        "repository.",
        allowed="a path in the workspace",
    )
    settings: ConfigSource = setting(
        _toml_settings,
        "",
        meaning="More settings. They override those of the settings file.",
        allowed="settings in TOML, as in waypost.toml",
    )
    commit: str = setting(
        _commit,
        "false",
        meaning="Whether to commit the sitemaps, and no other files. true: to the branch; pull-request: to a branch of "
        "their own, with a pull request.",
        allowed="true, false or pull-request",
    )
    push: str = setting(
        _push,
        "auto",
        meaning="Whether to push the commit. auto: push, except from pull requests, and what the branch lacks.",
        allowed="auto, true or false",
    )
    branch: str = setting(
        _branch,
        "",
        meaning="The branch to push to. Empty: the branch for which the workflow runs; for a pull request "
        "waypost-sitemaps.",
        allowed="a name that Git accepts for a branch",
    )
    state_branch: str = setting(
        _branch,
        "",
        meaning="A branch on which the Action stores the file `state`, and nothing else. Sets `lastmod` to content.",
        allowed="a name that Git accepts for a branch",
    )
    verified: str = setting(
        _push,
        "auto",
        meaning="Whether to commit through GitHub's API, which signs the commit. auto: where the branch takes only "
        "signed commits.",
        allowed="auto, true or false",
    )
    token: str = setting(
        str,
        "",
        meaning="The token with which to push and to open pull requests. Empty: the credentials that actions/checkout "
        "has left, and the workflow's own token.",
        allowed="a secret",
    )
    message: str = setting(str, "Update the sitemaps", meaning="The commit message.", allowed="any text")
    author: str = setting(_author, _BOT, meaning="The author of the commit.", allowed="Name <address>")
    title: str = setting(
        str, "", meaning="The title of the pull request. Empty: the first line of `message`.", allowed="any text"
    )
    labels: str = setting(
        str, "", meaning="The labels of the pull request, separated by commas.", allowed="names of labels"
    )
    comment: bool = flag_setting(
        "Comment on the pull request for which the workflow runs: what changes in the sitemap. Needs "
        "`pull-requests: write`."
    )
    changes: str = setting(
        str,
        "",
        meaning="Write what changed to this file, for a later step with `notify`.",
        allowed="a path in the workspace",
    )
    notify: str = setting(
        str,
        "",
        meaning="Send the changes in this file, and do nothing else: to the search engines of `indexnow`. For a step "
        "after the deployment of the site.",
        allowed="a file that `changes` has named",
    )
    date: tuple[str, ...] = setting(
        _lines,
        "",
        meaning="Give these sitemaps of another tool true dates, and do nothing else. For a step between the build of "
        "the site and its deployment. Write one per line.",
        allowed="paths in the workspace",
    )
    report: str = setting(
        str,
        "",
        meaning="Write a report on the site, one HTML page, to this file.",
        allowed="a path in the workspace",
    )
    fetch_history: bool = flag_setting(
        "Fetch the commits that a shallow clone lacks, without their files, to date the pages.", default=True
    )
    include: tuple[str, ...] = _setting_input("include", _lines, " Write one per line.")
    exclude: tuple[str, ...] = _setting_input("exclude", _lines, " Write one per line.")
    config_sources: tuple[ConfigSource, ...] = ()
    issues: tuple[ConfigIssue, ...] = ()

    @property
    def commits(self) -> bool:
        """Whether anything is to be committed."""
        return self.commit != "false"

    @property
    def is_for_pull_request(self) -> bool:
        """Whether the commit is for a pull request."""
        return self.commit == "pull-request"

    @property
    def pull_request_title(self) -> str:
        """The title of the pull request."""
        return self.title or self.message.strip().partition("\n")[0]

    @property
    def label_names(self) -> list[str]:
        """The labels of the pull request."""
        return [name for each in self.labels.split(",") if (name := each.strip())]


ACTION_INPUTS = {each.input_name: each for each in settings_of(Inputs)}
"""The inputs by their names."""
_SETTINGS_WITHOUT_INPUT = {each.input_name: each for each in SETTINGS if each.name not in _SETTING_INPUTS}


def read(environ: Mapping[str, str]) -> Inputs:
    """Read the inputs from the JSON object in VARIABLE; an empty input counts as absent."""
    given = json.loads(environ.get(VARIABLE) or "{}")
    texts = {name.lower(): text for name, value in given.items() if (text := str(value).strip())}
    issues = [_unknown(name, text) for name, text in texts.items() if name not in ACTION_INPUTS]
    options = _checked({name: text for name, text in texts.items() if name in ACTION_INPUTS}, issues)
    toml = options.get("settings", ConfigSource("the input settings", {}))
    values = {name: _raw(options[name]) for name in _SETTING_INPUTS if name in options}
    if "state_branch" in options and "lastmod" not in toml.values:
        values["lastmod"] = "content"
    inputs = ConfigSource(STEP_INPUTS, values, spellings={"base_url": "base-url"}, is_trusted=True)
    return Inputs(**options, config_sources=(toml, inputs), issues=tuple(issues))


def _checked(texts: Mapping[str, str], issues: list[ConfigIssue]) -> dict[str, Any]:
    """The values of the inputs, by the names of their fields; an input with an issue has none."""
    values = {}
    for name, text in texts.items():
        declared = ACTION_INPUTS[name]
        try:
            values[declared.name] = declared.check(_flag(text) if isinstance(declared.default, bool) else text)
        except InvalidValue as invalid:
            issues += [ConfigIssue(STEP_INPUTS, name, problem, declared.allowed) for _, problem in invalid.problems]
    return values


def _raw(value: str | tuple[str, ...]) -> str | list[str]:
    """The value of a setting as TOML has it."""
    return value if isinstance(value, str) else list(value)


def _flag(text: str) -> bool | str:
    """Any other text is returned as it is, for the input's own check to refuse."""
    return {"true": True, "false": False}.get(text.lower(), text)


def _unknown(name: str, text: str) -> ConfigIssue:
    """The issue with an input that does not exist: of a setting, the line to write; else the nearest name."""
    if name in _REMOVED:
        return ConfigIssue(STEP_INPUTS, name, f"it is no input; {_REMOVED[name]}")
    if setting_without_input := _SETTINGS_WITHOUT_INPUT.get(name):
        line = _toml_line(setting_without_input, text)
        return ConfigIssue(STEP_INPUTS, name, f"it is no input; write in the input settings: {line}")
    close = get_close_matches(name[:_LONGEST_NAME], [*ACTION_INPUTS, *_SETTINGS_WITHOUT_INPUT], n=1)
    where = "" if close and close[0] in ACTION_INPUTS else ", which goes into the input settings"
    return ConfigIssue(STEP_INPUTS, name, "unknown input", f"did you mean {close[0]}{where}?" if close else "")


def _toml_line(declared: Setting, text: str) -> str:
    """The setting as TOML, with a value that its check accepts: the text as it is, as a string, or as a list."""
    values = (text, text.lower(), to_toml(text), to_toml(re.split(r"[\s,]+", text)))
    lines = (f"{declared.name} = {each}" for each in values)
    return next((line for line in lines if _is_accepted(declared, line)), f"{declared.name} = …")


def _is_accepted(declared: Setting, line: str) -> bool:
    try:
        declared.check(load_toml(line)[declared.name])
    except (DataError, InvalidValue):
        return False
    return True
