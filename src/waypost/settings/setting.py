"""How a setting is declared: as a field of a dataclass, with its check, its default and its documentation.

The settings table, the inputs in `action.yml`, `waypost init` and the checks are derived from such fields.
"""

from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from waypost.settings import checks
from waypost.settings.checks import Check


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: the name of its field, and what `setting` declares of it."""

    name: str
    check: Check
    default: Any
    meaning: str
    allowed: str
    example: str
    affects_state: bool

    @property
    def input_name(self) -> str:
        """The name of the Action's input."""
        return self.name.replace("_", "-")

    @property
    def is_required(self) -> bool:
        """Whether the setting has no default."""
        return self.default is MISSING

    @property
    def shown_default(self) -> str:
        """The default in TOML, or `""` for a setting that is required or empty by default."""
        return "" if self.default in (MISSING, None, "", [], {}) else to_toml(self.default)


def setting(
    check: Check,
    default: Any = MISSING,
    *,
    meaning: str,
    allowed: str,
    example: str = "",
    affects_state: bool = True,
) -> Any:
    """Declare a field of a dataclass as a setting of the field's name.

    `check` returns the checked value of the field's type, or raises InvalidValue.
    `default` is a raw value that the check accepts, or None for a setting that is off; without it the setting is
    required, and the command line needs an option for it.
    `meaning` is a sentence or two on what the setting does, `allowed` a phrase, `example` a value in TOML.
    `affects_state` says whether a change of the setting can change what is published from a bucket's state, so
    that the state must be rebuilt.
    """
    declared = {
        "check": check,
        "default": default,
        "meaning": meaning,
        "allowed": allowed,
        "example": example,
        "affects_state": affects_state,
    }
    is_checked = default is not MISSING and default is not None
    return field(default=check(default) if is_checked else default, metadata=declared)


def flag_setting(meaning: str, *, default: bool = False, affects_state: bool = True) -> Any:
    """Declare a setting that is true or false."""
    return setting(
        checks.flag,
        default,
        meaning=meaning,
        allowed="true or false",
        example=to_toml(not default),
        affects_state=affects_state,
    )


def choice_setting(*names: str, default: str | None, meaning: str, affects_state: bool = True) -> Any:
    """Declare a setting that is one of these names."""
    return setting(
        checks.choice(*names),
        default,
        meaning=meaning,
        allowed=f"{', '.join(names[:-1])} or {names[-1]}",
        example=to_toml(next(name for name in names if name != default)),
        affects_state=affects_state,
    )


def settings_of(schema: type[Any]) -> tuple[Setting, ...]:
    """The settings that a dataclass declares, in the order of its fields; other fields are ignored."""
    return tuple(Setting(each.name, **each.metadata) for each in fields(schema) if each.metadata)


def to_toml(value: object) -> str:
    """A plain value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(to_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
