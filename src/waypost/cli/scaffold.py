"""What `waypost init` writes: settings with every key explained, and a workflow."""

from pathlib import Path
from textwrap import wrap

from waypost.config.schema import SETTINGS, Setting
from waypost.sitemaps.render import Renderer

WORKFLOW = Path(".github/workflows/sitemap.yml")
SETTINGS_FILE = Path("waypost.toml")


def workflow(branch: str, source: str) -> bytes:
    """A workflow for the site in a folder of the repository, published from a branch."""
    return Renderer().text("workflow.yml.j2", branch=branch, source=source)


def settings(base_url: str | None) -> bytes:
    """A settings file in which every key is explained."""
    return _settings(base_url).encode()


def _settings(base_url: str | None) -> str:
    head = "# Waypost's settings. Lines that begin with `# ` and a key show an example, not the default.\n"
    return head + "".join(f"\n{_entry(setting, base_url)}" for setting in SETTINGS)


def _entry(setting: Setting, base_url: str | None) -> str:
    default = "" if setting.default in (None, [], {}) else f" Default: {toml(setting.default)}."
    about = "\n".join(f"# {line}" for line in wrap(f"{setting.meaning} Allowed: {setting.allowed}.{default}", 98))
    if setting.key == "base_url" and base_url:
        return f"{about}\nbase_url = {toml(base_url)}\n"
    return f"{about}\n# {setting.key} = {setting.example}\n"


def toml(value: object) -> str:
    """A plain value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
