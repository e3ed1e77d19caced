"""The commands of scripts."""

from __future__ import annotations

import pytest

from waypost.project.shell_commands import commands_of


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("cd web && npm ci\nls", [("npm ci", "web"), ("ls", "web")]),
        ("(cd a/b; hugo) && x | y", [("hugo", "a/b"), ("x", "."), ("y", ".")]),
        ("cd a\ncd ..\nmake  # all of it", [("make", ".")]),
        ("pip install \\\n  mkdocs", [("pip install mkdocs", ".")]),
        ('echo "a b" c', [("echo 'a b' c", ".")]),
        ('Rscript -e \'a::b("c")\' "$X" *', [("Rscript -e 'a::b(\"c\")' $X *", ".")]),
        ("echo 'never ends\nmake", [("make", ".")]),
        ("# cd a\n", []),
        ("cd a && cd $GITHUB_WORKSPACE && make", [("make", ".")]),
        ("rsync ${{ github.workspace }}/out/ ${{ secrets.HOST }}:a", [("rsync ./out/ ${{secrets.HOST}}:a", ".")]),
        ("ln -s $(dirname $(which a)) b `pwd`", [("ln -s $_ b $_", ".")]),
    ],
)
def test_each_command_of_a_script_is_found_with_its_folder(script: str, found: list[tuple[str, str]]) -> None:
    assert [(each.text, each.folder) for each in commands_of(script, ".")] == found


@pytest.mark.parametrize(
    ("command", "plain"),
    [
        ("FOO=1 npx --yes gh-pages@6 -d out", "gh-pages -d out"),
        ("python3 -m mkdocs gh-deploy", "mkdocs gh-deploy"),
        ("sudo /usr/bin/rsync -a a b", "rsync -a a b"),
        ("pnpm exec wrangler deploy", "wrangler deploy"),
        ("uv run mike deploy 1", "mike deploy 1"),
        ("npm run deploy", "npm run deploy"),
        ("yarn docusaurus deploy", "docusaurus deploy"),
        ("yarn build", "yarn build"),
        ("uvx --with-requirements a.txt mike@2.2.0 deploy 1", "mike deploy 1"),
        ("pipx run --spec mike==2 mike deploy", "mike deploy"),
    ],
)
def test_a_command_is_known_without_what_starts_it(command: str, plain: str) -> None:
    (found,) = commands_of(command, ".")
    assert found.plain == plain


def test_a_script_without_end_is_read_in_part() -> None:
    assert len(list(commands_of("make\n" * 100_000, "."))) == 500
    assert len(next(iter(commands_of("a " * 9_000, "."))).text.split()) == 200
