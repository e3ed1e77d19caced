"""The options of `waypost validate` and `waypost diff`, and what they import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from unit.cli.invoke import BASE, index, urlset

if TYPE_CHECKING:
    from unit.cli.invoke import Invoke


def test_errors_are_exit_code_1_and_other_findings_are_not(invoke: Invoke) -> None:
    Path("good.xml").write_text(urlset("a"))
    Path("bad.xml").write_text(urlset("a").replace(BASE, "/"))
    assert invoke("validate", "good.xml").exit_code == 0
    assert invoke("validate", "bad.xml").exit_code == 1
    assert invoke("validate", "good.xml", "absent.xml").exit_code == 3


@pytest.mark.parametrize("command", [("validate", "-"), ("diff", "-", "-")])
def test_the_number_of_findings_to_print_cannot_be_negative(invoke: Invoke, command: tuple[str, ...]) -> None:
    result = invoke(*command, "--most", "-1")
    assert (result.exit_code, "--most" in result.stderr) == (2, True)


def test_an_index_is_followed_unless_that_is_not_wanted(invoke: Invoke) -> None:
    Path("sitemap.xml").write_text(index(f"{BASE}a.xml"))
    Path("a.xml").write_text(urlset("a"))
    followed = invoke("validate", "sitemap.xml", "--url", f"{BASE}sitemap.xml")
    alone = invoke("validate", "sitemap.xml", "--url", f"{BASE}sitemap.xml", "--no-follow")
    assert "2 files, an index among them; 1 URL" in followed.stderr
    assert "not checked: 1 sitemap that an index lists" in alone.stderr


def test_the_validator_is_not_imported_before_it_is_used() -> None:
    code = "import sys, waypost.cli.main; sys.exit('waypost.cli.validate_command' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
