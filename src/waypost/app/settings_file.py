"""Finds and reads the file that a site's settings are in."""

from pathlib import Path

from waypost.config import load
from waypost.config.load import ConfigSource
from waypost.core.errors import ConfigIssue, ConfigurationError

NAMES = ("waypost.toml", "pyproject.toml")


def read(file: Path | None, source: Path, here: Path) -> tuple[ConfigSource, Path] | None:
    """The settings' layer and the file it is from, to whose folder its paths are relative.

    Without a named file a waypost.toml, or a pyproject.toml with `[tool.waypost]`, gives it, in the
    source or else in `here`; None where neither has one. Raises ConfigurationError.
    """
    for path in [file] if file else [folder / name for folder in (source, here) for name in NAMES]:
        if file or path.exists():
            where = path.relative_to(here) if path.is_relative_to(here) else path
            layer = load.parse_toml(_text(path), str(where))
            if layer:
                return layer, path.absolute()
    if file:
        raise ConfigurationError((ConfigIssue(str(file), "tool.waypost", "it has no such table"),))
    return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigurationError((ConfigIssue(str(path), "file", error.strerror or str(error)),)) from None
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            (ConfigIssue(str(path), "file", f"it is not UTF-8: {error.reason} at byte {error.start}"),)
        ) from None
