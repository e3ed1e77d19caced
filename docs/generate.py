"""Writes the documentation's tables from the code; with --check, says whether they are up to date."""

import sys
from collections.abc import Iterator
from pathlib import Path

from waypost.cli.scaffold import toml
from waypost.config.schema import SETTINGS
from waypost.core.reasons import REASONS
from waypost.validate.rules import RULES

ROOT = Path(__file__).parents[1]


def settings_table() -> str:
    """The settings, a row each."""
    rows = ["| setting | what it is for | allowed | default |", "|---|---|---|---|"]
    for setting in SETTINGS:
        default = f"`{toml(setting.default)}`" if setting.default not in (None, [], {}) else ""
        rows.append(f"| `{setting.key}` | {setting.meaning} | {setting.allowed} | {default} |")
    return "\n".join(rows)


def reasons_table() -> str:
    """The reasons for which something is left out, a row each."""
    rows = [f"| `{reason}` | {reason.meaning} |" for reason in REASONS.values()]
    return "\n".join(["| reason | a file is left out because |", "|---|---|", *rows])


def findings_table() -> str:
    """The findings of the validator, a row each: what is wrong, where the rule comes from, and an example."""
    rows = ["| code | severity | what is wrong, and what to do | example | source |", "|---|---|---|---|---|"]
    for rule in RULES.values():
        says = f"{rule.meaning}; {rule.advice}".replace("{", "*").replace("}", "*").replace(":,", "").replace("!r", "")
        example = rule.example.replace("|", "\\|")
        rows.append(f"| `{rule.code}` | {rule.severity} | {says} | `` {example} `` | {rule.source} |")
    return "\n".join(rows)


TABLES = (
    ("README.md", "settings", settings_table),
    ("README.md", "reasons", reasons_table),
    ("docs/validate.md", "findings", findings_table),
)


def generated() -> Iterator[tuple[Path, str]]:
    """Each document that has tables, with those as the code has them now."""
    for name in dict.fromkeys(name for name, _, _ in TABLES):
        text = (ROOT / name).read_text(encoding="utf-8")
        for _, mark, table in (each for each in TABLES if each[0] == name):
            before, _, rest = text.partition(f"<!-- {mark} -->\n")
            _, end, after = rest.partition(f"<!-- /{mark} -->")
            text = f"{before}<!-- {mark} -->\n{table()}\n{end}{after}"
        yield ROOT / name, text


def main() -> int:
    """Write the tables, or check them."""
    stale = [(path, text) for path, text in generated() if path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        return int(bool(stale))
    for path, text in stale:
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
