"""Writes the README's tables from the code; with --check, says whether they are up to date."""

import sys
from pathlib import Path

from waypost.entry.scaffold import toml
from waypost.model import Reason
from waypost.settings import SETTINGS

README = Path(__file__).parents[1] / "README.md"


def settings_table() -> str:
    """The settings, a row each."""
    rows = ["| setting | what it is for | allowed | default |", "|---|---|---|---|"]
    for setting in SETTINGS:
        default = f"`{toml(setting.default)}`" if setting.default not in (None, [], {}) else ""
        rows.append(f"| `{setting.key}` | {setting.about} | {setting.allowed} | {default} |")
    return "\n".join(rows)


def reasons_table() -> str:
    """The reasons for which something is left out, a row each."""
    rows = [f"| `{reason}` | {reason.meaning} |" for reason in Reason]
    return "\n".join(["| reason | a file is left out because |", "|---|---|", *rows])


def generated(text: str) -> str:
    """The README with its tables as the code has them now."""
    for name, table in (("settings", settings_table()), ("reasons", reasons_table())):
        before, _, rest = text.partition(f"<!-- {name} -->\n")
        _, mark, after = rest.partition(f"<!-- /{name} -->")
        text = f"{before}<!-- {name} -->\n{table}\n{mark}{after}"
    return text


def main() -> int:
    """Write the README, or check it."""
    text = README.read_text(encoding="utf-8")
    if "--check" in sys.argv:
        return int(generated(text) != text)
    README.write_text(generated(text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
