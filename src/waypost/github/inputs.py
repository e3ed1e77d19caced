"""The Action's inputs: every setting, and the inputs that only the Action has, one field of `Inputs` each."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from waypost.announce.git_commit import AUTHOR
from waypost.announce.git_target import is_branch_name
from waypost.config.checks import InvalidValue, choice
from waypost.config.load import ConfigSource
from waypost.config.schema import SETTINGS
from waypost.config.setting import InputForm, Setting, flag_setting, setting, settings_of
from waypost.core.errors import ConfigIssue

VARIABLE = "WAYPOST_INPUTS"
"""The variable with the inputs, a JSON object."""
STEP_INPUTS = "the step's inputs"
"""The name of the inputs in messages."""
_BOT = "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>"


def _push(value: str) -> str:
    return choice("auto", "true", "false")(value.lower())


def _commit(value: str) -> str:
    return choice("true", "false", "pull-request")(value.lower())


def _branch(value: str) -> str:
    if value and not is_branch_name(value):
        raise InvalidValue(("", f"{value!r} is not a branch name"))
    return value


def _author(value: str) -> str:
    if not re.fullmatch(AUTHOR, value):
        raise InvalidValue(("", f"{value!r} is not an author"))
    return value


def _toml_settings(value: str) -> ConfigSource:
    try:
        return ConfigSource("the input settings", tomllib.loads(value))
    except tomllib.TOMLDecodeError as error:
        raise InvalidValue(("", str(error))) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What a workflow asks for.

    `config_sources` are the settings among the inputs; a later one overrides those before it. `issues` are those of the
    inputs that only the Action has, to be reported together with the issues of the settings.
    """

    source: str = setting(str, ".", meaning="The folder that is published.", allowed="a path in the workspace")
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
    state_branch: str = setting(
        _branch,
        "",
        meaning="A branch on which the Action stores the file `state`, and nothing else. Sets `lastmod` to content.",
        allowed="a name that Git accepts for a branch",
    )
    fetch_history: bool = flag_setting(
        "Fetch the commits that a shallow clone lacks, without their files, to date the pages.", default=True
    )
    report: str = setting(
        str,
        "",
        meaning="Write a report on the site, one HTML page, to this file.",
        allowed="a path in the workspace",
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
    title: str = setting(
        str, "", meaning="The title of the pull request. Empty: the first line of `message`.", allowed="any text"
    )
    labels: str = setting(
        str, "", meaning="The labels of the pull request, separated by commas.", allowed="names of labels"
    )
    message: str = setting(str, "Update the sitemaps", meaning="The commit message.", allowed="any text")
    author: str = setting(_author, _BOT, meaning="The author of the commit.", allowed="Name <address>")
    sign_off: bool = flag_setting("Add a Signed-off-by line to the commit message.")
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


ACTION_INPUTS = settings_of(Inputs)
"""The inputs that only the Action has."""


def read(environ: Mapping[str, str], settings: Sequence[Setting] = SETTINGS) -> Inputs:
    """Read the inputs from the JSON object in VARIABLE; an empty input counts as absent."""
    given = json.loads(environ.get(VARIABLE) or "{}")
    texts = {name: text for name, value in given.items() if (text := str(value).strip())}
    issues: list[ConfigIssue] = []
    options = _values(ACTION_INPUTS, texts, issues, is_checked=True)
    values = _values(settings, texts, issues)
    if "state" in values or "state_branch" in options:
        values.setdefault("lastmod", "content")
    toml = options.get("settings", ConfigSource("the input settings", {}))
    inputs = ConfigSource(STEP_INPUTS, values, spellings={each.name: each.input_name for each in settings})
    return Inputs(**options, config_sources=(toml, inputs), issues=tuple(issues))


def _values(
    settings: Sequence[Setting], texts: Mapping[str, str], issues: list[ConfigIssue], *, is_checked: bool = False
) -> dict[str, Any]:
    """The values of the inputs that are given; an input with an issue has none."""
    values = {}
    for each in settings:
        text = texts.get(each.input_name)
        if text is None or each.input_form is None:
            continue
        try:
            value = _PARSERS[each.input_form](text)
            values[each.name] = each.check(value) if is_checked else value
        except InvalidValue as invalid:
            issues += [
                ConfigIssue(STEP_INPUTS, each.input_name + below, problem, each.allowed)
                for below, problem in invalid.problems
            ]
    return values


def _flag(text: str) -> bool | str:
    """Any other text is returned as it is, for the setting's own check to refuse."""
    return {"true": True, "false": False}.get(text.lower(), text)


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,]+", text) if word]


def _lines(text: str) -> list[str]:
    return [stripped for line in text.split("\n") if (stripped := line.strip())]


def _toml_value(text: str) -> Any:
    try:
        found = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError as error:
        raise InvalidValue(("", str(error))) from None
    if len(found) > 1:
        raise InvalidValue(("", "there is more than one TOML value"))
    return found["value"]


_PARSERS: dict[InputForm, Callable[[str], Any]] = {
    "text": str,
    "flag": _flag,
    "words": _words,
    "lines": _lines,
    "toml": _toml_value,
}
