"""Finds and reads the settings file of a site."""

from pathlib import Path

from waypost.config import load
from waypost.config.load import ConfigSource
from waypost.core.errors import ConfigIssue, ConfigurationError

NAMES = ("waypost.toml", "pyproject.toml")


def read(file: Path | None, source: Path, working_folder: Path) -> tuple[ConfigSource, Path] | None:
    """The settings, and their file; paths in them are relative to its folder. Raises ConfigurationError.

    If no file is named, it is a waypost.toml, or a pyproject.toml with `[tool.waypost]`, in the source or else in the
    working folder; None if there is none.
    """
    for path in [file] if file else [folder / name for folder in (source, working_folder) for name in NAMES]:
        if file or path.exists():
            where = path.relative_to(working_folder) if path.is_relative_to(working_folder) else path
            layer = load.parse_toml(_text(path), str(where))
            if layer:
                return layer, path.absolute()
    if file:
        raise ConfigurationError((ConfigIssue(str(file), "tool.waypost", "the file has no such table"),))
    return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigurationError((ConfigIssue(str(path), "file", error.strerror or str(error)),)) from None
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            (ConfigIssue(str(path), "file", f"the file is not UTF-8: {error.reason} at byte {error.start}"),)
        ) from None
