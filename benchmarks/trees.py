"""Builds sitemaps of Debian's documentation, and checks the output: valid, complete, and unchanged by a second run."""

import argparse
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from debian_docs import ROOTS, download, unpack
from lxml import etree
from measure import ROOT, WAYPOST, Report, Run, run, say

from waypost.core.model import printable
from waypost.validate import SITEMAP_NAMESPACE as NAMESPACE

_BASE = "https://www.example.org/"
_SCHEMAS = ROOT / "tests" / "schema"


class Tree(NamedTuple):
    """The files of a tree, and how many are unusual."""

    files: list[str]
    links: int
    odd_names: int
    not_utf8: int


class Built(NamedTuple):
    """A tree, the two runs over it, and what the first printed."""

    package: str
    tree: Tree
    first: Run
    second: Run
    checked: Run
    answer: dict[str, Any]
    findings: dict[str, Any]
    problems: list[str]


def main() -> None:
    """Unpack each package and build its sitemaps twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--debs", type=Path, help="a folder with the packages; without it, apt-get downloads them")
    debs: Path | None = parser.parse_args().debs
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        if debs is None:
            download(scratch)
        built = [_built(package, scratch / package, debs or scratch) for package in ROOTS]
    _report(built).write()
    if any(each.problems for each in built):
        raise SystemExit(1)


def _built(package: str, folder: Path, debs: Path) -> Built:
    say(package)
    root, output = unpack(package, debs, folder), folder / "output"
    command = [WAYPOST, "build", str(root), "--base-url", _BASE, "--output", str(output), "--json"]
    command += ["--set", "lastmod=none"]  # no tree is in a repository
    first = run(command)
    before = _info(output)
    second = run(command)
    checked = run([WAYPOST, "validate", str(output), "--url", _BASE, "--against", str(root), "--json"])
    tree, answer, findings = _tree(root), json.loads(first.output), json.loads(checked.output)
    problems = [
        *(
            f"validate: {found['code']} {found['loc']}"
            for found in findings["findings"]
            if found["severity"] == "error"
        ),
        *_output_problems(output, answer),
        *_accounting_problems(tree, answer),
        *_repeat_problems(json.loads(second.output), before == _info(output)),
    ]
    return Built(package, tree, first, second, checked, answer, findings, problems)


def _info(output: Path) -> dict[str, tuple[int, bytes]]:
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in output.iterdir()}


def _tree(root: Path) -> Tree:
    """Count unusual files in a tree; names are written as Waypost writes the names of excluded files."""
    files, links, odd_names, not_utf8 = [], 0, 0, 0
    for folder, subfolders, names in os.walk(root):
        links += sum(Path(folder, name).is_symlink() for name in (*subfolders, *names))
        for name in names:
            path = Path(folder, name)
            files.append(printable(path.relative_to(root).as_posix()))
            odd_names += not (name.isascii() and name.isprintable())
            not_utf8 += path.is_file() and not _is_utf8(path.read_bytes()) and ".htm" in name
    return Tree(files, links, odd_names, not_utf8)


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _output_problems(output: Path, answer: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the output: a file breaks the schema, or the files do not list exactly the plan's pages."""
    locs: list[str] = []
    for file in answer["files"]:
        document = etree.parse(str(output / file["name"]))
        schema = _schema(file["kind"])
        if schema is not None and not schema.validate(document):
            yield f"{file['name']}: {schema.error_log}"
        if file["kind"] == "sitemap":
            locs += [loc.text or "" for loc in document.iter(f"{{{NAMESPACE}}}loc")]
    if sorted(locs) != sorted(page["loc"] for page in answer["pages"]) or len(set(locs)) != answer["url_count"]:
        yield "the sitemaps do not list exactly the plan's pages"


def _schema(kind: str) -> etree.XMLSchema | None:
    """The protocol's schema, if the checkout has it."""
    file = _SCHEMAS / {"sitemap": "sitemap.xsd", "index": "sitemap-index.xsd"}[kind]
    return etree.XMLSchema(file=str(file)) if file.exists() else None


def _accounting_problems(tree: Tree, answer: dict[str, Any]) -> Iterator[str]:
    """Files that are neither listed nor excluded (alone or with their folder), or both."""
    listed = {printable(page["key"]) for page in answer["pages"]}
    skipped = {each["key"] for each in answer["excluded"]}
    folders = tuple(key for key in skipped if key.endswith("/"))
    for file in tree.files:
        if (file in listed) + (file in skipped) != 1 and not file.startswith(folders):
            yield f"{file} is not accounted for exactly once"


def _repeat_problems(answer: dict[str, Any], is_untouched: bool) -> Iterator[str]:
    if answer["written"] or answer["removed"] or not is_untouched:
        yield "the second run wrote something"


def _report(built: list[Built]) -> Report:
    report = Report("trees", "Real trees")
    checks = "the schemas in tests/schema" if _SCHEMAS.exists() else "a strict parser (lxml)"
    report.text(
        f"Each output was read by {checks}, each tree built twice, each file of it accounted for, and each output "
        "checked with `waypost validate --against` the tree."
    )
    head = ["tree", "files", "links", "HTML not UTF-8", "names not ASCII", "listed", "sitemaps", "s", "again, s", "MB"]
    head += ["validate, s", "errors", "warnings"]
    report.table([*head, "problems"], [_row(each) for each in built])
    report.table(["left out", *ROOTS], list(_reasons(built)))
    warnings = [[each.package, w["text"]] for each in built for w in each.answer["warnings"]]
    if warnings:
        report.table(["warned of", "what"], warnings)
    found = [
        [each.package, code, f"{count:,}"] for each in built for code, count in each.findings["count_by_code"].items()
    ]
    report.text(
        "Findings of `validate`, notes among them:" if found else "`validate` finds nothing at all in any of them."
    )
    if found:
        report.table(["tree", "code", "how often"], found)
    for each in built:
        for problem in each.problems[:10]:
            report.text(f"**{each.package}**: {problem}")
    return report


def _row(each: Built) -> list[str]:
    tree, answer = each.tree, each.answer
    counts = (len(tree.files), tree.links, tree.not_utf8, tree.odd_names, answer["url_count"], answer["sitemap_count"])
    times = [f"{each.first.seconds:.2f}", f"{each.second.seconds:.2f}", f"{each.first.megabytes:.0f}"]
    times += [f"{each.checked.seconds:.2f}", str(each.findings["error_count"]), str(each.findings["warning_count"])]
    return [f"{each.package}: {ROOTS[each.package]}", *(f"{n:,}" for n in counts), *times, str(len(each.problems))]


def _reasons(built: list[Built]) -> Iterator[list[str]]:
    counts = [Counter(each.answer["excluded_by_reason"]) for each in built]
    for reason in sorted(set().union(*counts)):
        yield [reason, *(f"{count[reason]:,}" for count in counts)]


if __name__ == "__main__":
    main()
