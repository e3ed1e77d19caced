"""Writes the tables of the documentation, the Action's inputs and the name of the repository from the code.

With --check it writes nothing, and exits with 1 if one of them is out of date.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import hcl2
import recipes
import schemas

from waypost import SHOWN_ACTION, SHOWN_REPOSITORY
from waypost.core.finding_types import AUDIT_RULES, LIVE_RULES, SITEMAP_RULES, FindingType, Severity
from waypost.core.model import SourceKind
from waypost.core.reasons import REASONS
from waypost.github.inputs import ACTION_INPUTS
from waypost.project.generator import Generator, generators
from waypost.project.server_advice import ServerAdvice
from waypost.project.site_folder import SiteFolder
from waypost.settings.host_rules import ANY_SHAPE
from waypost.settings.hosts import HOSTS, Host
from waypost.settings.schema import SETTINGS
from waypost.settings.setting import Setting

ROOT = Path(__file__).parents[1]


def settings_table(settings: Sequence[Setting] = SETTINGS) -> str:
    """The settings, a row each."""
    rows = ["| setting | meaning | allowed (default) |", "|---|---|---|"]
    for each in settings:
        default = f" (`{each.shown_default}`)" if each.shown_default else ""
        rows.append(f"| `{each.name}` | {each.meaning} | {each.allowed}{default} |")
    return "\n".join(rows)


def action_inputs() -> str:
    """The inputs of the Action in YAML."""
    return "\n".join(map(_input, ACTION_INPUTS.values()))


def _input(declared: Setting) -> str:
    description = json.dumps(f"{declared.meaning} Allowed: {declared.allowed}.", ensure_ascii=False)
    default = str(declared.default).lower() if isinstance(declared.default, bool) else declared.default
    return f"  {declared.input_name}:\n    description: {description}\n    default: {json.dumps(default)}"


def reasons_list() -> str:
    """The reasons to leave out a file, a line each."""
    return "\n".join(f"- `{reason}`: {reason.meaning}" for reason in REASONS.values())


def findings_lists(rules: Mapping[str, FindingType] = SITEMAP_RULES) -> str:
    """The findings of the validator, or of another check: a list for each severity."""
    by_severity = {severity: [rule for rule in rules.values() if rule.severity == severity] for severity in Severity}
    return "\n\n".join(_findings_list(severity, some) for severity, some in by_severity.items() if some)


def _findings_list(severity: Severity, rules: Sequence[FindingType]) -> str:
    lines = [f"### {severity.title()}s", ""]
    for rule in rules:
        says = rule.meaning.replace("{", "*").replace("}", "*").replace(":,", "").replace("!r", "")
        lines.append(f"- `{rule.code}`: {says}{_in_code(rule.example)}")
    return "\n".join(lines)


def _in_code(example: str) -> str:
    """An example of markup, of a header or of a URL; one of words alone says only what the meaning says."""
    if not re.search(r'[<":/]', example):
        return ""
    return f" (`` {example} ``)" if "`" in example else f" (`{example}`)"


def terraform_inputs() -> str:
    """The variables of the Terraform module, a row each; those that must be given come first."""
    rows = ["| name | description | type | default |", "|---|---|---|---|"]
    for name, each in sorted(_blocks("variables.tf", "variable"), key=lambda each: "default" in each[1]):
        default = f"`{_literal(each['default'])}`" if "default" in each else "required"
        rows.append(f"| `{name}` | {json.loads(each['description'])} | `{each['type']}` | {default} |")
    return "\n".join(rows)


def terraform_outputs() -> str:
    """The outputs of the Terraform module, a row each."""
    found = _blocks("outputs.tf", "output")
    rows = [f"| `{name}` | {json.loads(each['description'])} |" for name, each in found]
    return "\n".join(["| name | description |", "|---|---|", *rows])


def _blocks(file: str, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    parsed = hcl2.loads((ROOT / "infra" / "terraform" / file).read_text(encoding="utf-8"))
    return ((name.strip('"'), body) for block in parsed[kind] for name, body in block.items())


def _literal(value: object) -> str:
    """A value as HCL writes it; the parser leaves the quotes around a text."""
    return value if isinstance(value, str) else json.dumps(value)


_FORMS = {"page": {"slash": "`/x/`", "bare": "`/x`", "file": "`/x.html`"}, "folder": {"slash": "`/x/`", "bare": "`/x`"}}
_FOLDERS = ("slash", "file")
"""The forms of folders that the text above the table names."""


def hosts_table() -> str:
    """A table of the hosts: what shows each, and the forms of URLs at which it answers."""
    rows = []
    for host in HOSTS.values():
        known = [*(f"`*.{each}`" for each in host.domains), *([host.known_by] if host.known_by else [])]
        rows.append(f"| `{host.name}` | {', '.join(known) or 'the setting'} | {host.forms or _forms(host)} |")
    return "\n".join(["| host | known by | forms |", "|---|---|---|", *rows])


def _forms(host: Host) -> str:
    pages = "any" if host.page == ANY_SHAPE else ", ".join(_FORMS["page"][shape] for shape in host.page)
    if host.folder == _FOLDERS:
        return pages
    folders = "any" if host.folder == ANY_SHAPE else ", ".join(_FORMS["folder"][shape] for shape in host.folder)
    return f"{pages}, also of folders" if pages == folders == "any" else f"{pages}; folders {folders}"


def server_commands() -> str:
    """What makes the sitemaps of a site with a server after its build, a row for each framework."""
    packages: dict[tuple[str, str], list[str]] = {}
    for generator in _with_servers():
        for package in [] if generator.hook else generator.servers or [""]:
            advice = _server_advice(generator, generator.adapters.get(package, generator.outputs[0]))
            routes = advice.command(last=" --set urls=-", before="node list-routes.js \\| ")
            packages.setdefault((generator.name, routes), []).append(f", `{package}`" if package else "")
    rows = [f"| {name}{''.join(named)} | `{routes}` |" for (name, routes), named in packages.items()]
    return "\n".join(["| framework | after the build |", "|---|---|", *rows])


def server_hooks() -> str:
    """The lines that make sitemaps during the build, for the frameworks that need it."""
    advices = [_server_advice(each, each.outputs[0]) for each in _with_servers() if each.hook]
    return "\n\n".join(f"{each.site.kind.generator}:\n\n```ts\n{each.hook}\n```" for each in advices)


def _with_servers() -> Iterator[Generator]:
    return (each for each in generators() if each.servers or each.rendered or each.server_script)


def _server_advice(generator: Generator, output: str) -> ServerAdvice:
    kind = SourceKind("generator", generator.name, output=output, has_server=True)
    return ServerAdvice(SiteFolder(ROOT / "no-site", kind), ".", "")


GENERATED = (
    ("docs/settings.md", "settings", settings_table),
    ("docs/urls.md", "hosts", hosts_table),
    ("docs/urls.md", "server-commands", server_commands),
    ("docs/urls.md", "server-hooks", server_hooks),
    ("docs/what-is-left-out.md", "reasons", reasons_list),
    ("docs/validate.md", "findings", findings_lists),
    ("docs/check-live.md", "findings", partial(findings_lists, LIVE_RULES)),
    ("docs/audit.md", "findings", partial(findings_lists, AUDIT_RULES)),
    ("action.yml", "inputs", action_inputs),
    ("docs/recipes.md", "recipes", recipes.page),
    ("infra/terraform/README.md", "inputs", terraform_inputs),
    ("infra/terraform/README.md", "outputs", terraform_outputs),
)
"""What is generated: the file, the name in the markers around it, and the function that returns the text."""


DOCUMENTS = (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "mkdocs.yml", ROOT / "templates" / "sitemap.yml")


def up_to_date() -> Iterator[tuple[Path, str]]:
    """Each document and other file with generated parts, and the text that it should have."""
    generated = (ROOT / path for path, _, _ in GENERATED)
    for file in sorted({*DOCUMENTS, *generated}):
        path, text = str(file.relative_to(ROOT)), named(file.read_text(encoding="utf-8"))
        for _, name, generate in (each for each in GENERATED if each[0] == path):
            begin, end = markers(path, name)
            before, after = text.partition(begin)[0], text.partition(end)[2]
            text = f"{before}{begin}{generate()}\n{end}{after}"
        yield file, text


def named(text: str) -> str:
    """A document's text with the repository and the Action as they are called now, in the place of what it has."""
    action = written_action()
    return text.replace(action, SHOWN_ACTION).replace(action.partition("@")[0], SHOWN_REPOSITORY)


def written_action() -> str:
    """The Action as the documents call it until now."""
    found = re.search(r"^  action: (\S+)", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise SystemExit("mkdocs.yml has no line `  action: owner/repository@tag`")
    return found[1]


def markers(path: str, name: str) -> tuple[str, str]:
    """The lines before and after a generated part of a file."""
    if path.endswith(".md"):
        return f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
    return f"  # {name}: written by docs/generate.py\n", f"  # end of {name}\n"


def main() -> int:
    """Write what is out of date, or check that nothing is."""
    stale = [(path, text) for path, text in up_to_date() if path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        return int(bool(stale)) or schemas.main()
    for path, text in stale:
        path.write_text(text, encoding="utf-8")
    return schemas.main()


if __name__ == "__main__":
    sys.exit(main())
