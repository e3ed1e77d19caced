"""The settings file that `waypost init` writes, which explains every setting."""

from collections.abc import Sequence
from textwrap import wrap

from waypost.config.schema import SETTINGS
from waypost.config.setting import Setting, to_toml

_HEAD = """\
# The settings of Waypost. Each line such as `# gzip = true` is an example: remove its `# ` to use it.
# A setting whose line begins with `# ` has its default.
"""
_WIDTH = 98


def settings_file(base_url: str | None, settings: Sequence[Setting] = SETTINGS) -> bytes:
    """A settings file that explains every setting, with an example of each; `base_url` is set if it is known."""
    return "\n".join([_HEAD, *(_entry(each, base_url) for each in settings)]).encode()


def _entry(setting: Setting, base_url: str | None) -> str:
    default = f" Default: {setting.shown_default}." if setting.shown_default else ""
    comment = [*wrap(setting.meaning, _WIDTH), *wrap(f"Allowed: {setting.allowed}.{default}", _WIDTH)]
    is_set = setting.name == "base_url" and base_url
    line = f"base_url = {to_toml(base_url)}" if is_set else f"# {setting.name} = {setting.example}"
    return "\n".join([*(f"# {text}" for text in comment), line, ""])
