"""The Action's inputs, one field of `Inputs` each, whose texts are in `inputs.toml`.

Settings without an input go into the input `settings`.
"""

import json
import re
import tomllib
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
from waypost.github.event import is_branch_name
from waypost.settings.checks import Check, InvalidValue, choice, flag
from waypost.settings.load import ConfigSource
from waypost.settings.schema import SETTINGS
from waypost.settings.setting import Setting, setting, settings_of, to_toml

VARIABLE = "WAYPOST_INPUTS"
"""The variable with the inputs, a JSON object."""
STEP_INPUTS = "the step's inputs"
"""The name of the inputs in messages."""
_TABLE = tomllib.loads(Path(__file__).with_name("inputs.toml").read_text(encoding="utf-8"))
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


def _choice(*names: str) -> Check:
    """The check of an input that is one of these names, in small or capital letters."""
    return lambda value: choice(*names)(value.lower())


_AUTO = _choice("auto", "true", "false")


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


def _input(name: str, check: Check = str) -> Any:
    """An input, as its row in the table declares it."""
    row = _TABLE[name]
    return setting(check, row.get("default", ""), meaning=row["meaning"], allowed=row["allowed"])


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
    source: str = _input("source")
    repository: str = _input("repository")
    output: str = _input("output")
    config: str = _input("config")
    settings: ConfigSource = _input("settings", _toml_settings)  # noqa: RUF009 - it returns a dataclass field
    commit: str = _input("commit", _choice("true", "false", "pull-request"))
    push: str = _input("push", _AUTO)
    branch: str = _input("branch", _branch)
    state_branch: str = _input("state_branch", _branch)
    verified: str = _input("verified", _AUTO)
    token: str = _input("token")
    message: str = _input("message")
    author: str = _input("author", _author)
    title: str = _input("title")
    labels: str = _input("labels")
    comment: bool = _input("comment", flag)
    changes: str = _input("changes")
    notify: str = _input("notify")
    date: tuple[str, ...] = _input("date", _lines)
    report: str = _input("report")
    fetch_history: bool = _input("fetch_history", flag)
    include: tuple[str, ...] = _setting_input("include", _lines, " Write one per line.")
    exclude: tuple[str, ...] = _setting_input("exclude", _lines, " Write one per line.")
    config_sources: tuple[ConfigSource, ...] = ()
    issues: tuple[ConfigIssue, ...] = ()

    def path(self, name: str, root: Path) -> Path | None:
        """Where the path leads that the input `name` has, if it has one; raises ConfigurationError as `input_path`."""
        text = getattr(self, name)
        return input_path(root, name, text) if text else None

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
    values = {name: options[name] for name in _SETTING_INPUTS if name in options}
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
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
