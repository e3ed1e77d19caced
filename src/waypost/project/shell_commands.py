"""Reads the commands of a script as far as one must to see what it builds and publishes, and in which folder."""

import posixpath
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

_MOST_CHARACTERS, _MOST_WORDS, _MOST_LINES = 20_000, 200, 500
"""Longer scripts and commands are no commands that somebody reads: of a script, this beginning counts."""
_MOST_CALLS, _MOST_COMMANDS = 3, 500
"""A script that calls another is followed so many times, and so many commands are looked at in all."""
_RUNNERS = re.compile(
    r"(?:sudo|time|cross-env(?:-shell)?|npx|bunx|pnpx"
    r"|(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)|(?:uv|poetry|pipenv|pdm|hatch|rye|pipx) run|uvx"
    r"|python3? -m|xvfb-run|(?:yarn|pnpm|bun)(?= (?!run\b|install\b|add\b|build\b|deploy\b|-)))"
    r"(?: (?:--?y(?:es)?|-q|--no-\w+|--all-\w+|--frozen|--locked|--isolated|--active|--"
    r"|(?:-p|--package|--with(?:-requirements)?|--from|--spec|--python|--(?:only-)?group|--extra|--env-file)[= ]\S+))* "
)
_EXPRESSION = re.compile(r"\$\{\{([^{}]*)\}\}")
"""What GitHub fills in: one word, whatever spaces are in it."""
_SUBSTITUTION = re.compile(r"\$\([^()]*\)|`[^`\n]*`")
"""What a command prints, in the place of a word."""
_ROOT = re.compile(r"(?:\$\{\{(?:github\.workspace|env\.GITHUB_WORKSPACE)\}\}|\$\{?GITHUB_WORKSPACE\b\}?)/?")
_AT_ROOT = "./"
_MOST_NESTED = 3
_KEYWORDS = ("then", "else", "do")
"""After these, in the same line, there is another command."""
_IN_QUOTES = re.compile(r"""[\s;&|()<>'"\\]""")
_VARIABLE = re.compile(r"\w+=\S* ")
_COPIES = re.compile(r"(?:cp|mv|rsync) ")
_CHECKS_OUT = re.compile(r"git (?:clone .* |worktree add (?:--?[\w-]+ )*)([\w./-]+)(?: [\w./-]+)?\Z")
_OF_GIT = re.compile(r"git (?:-C|--work-tree)[= ](\S+) ")
"""A command of Git for another folder."""
_VERSION = re.compile(r"(?<=\w)@[\w.^~-]+")


class Command(NamedTuple):
    """A command of a script as it would be typed, and the folder that it runs in, relative to the repository's root.

    `depth` is how many scripts call each other to run it: 1 in a script of package.json that the first one runs.
    """

    text: str
    folder: str
    depth: int = 0

    @property
    def plain(self) -> str:
        """The command without what starts it: `npx --yes gh-pages@6 -d out` is `gh-pages -d out`.

        A package manager starts programs of packages, too (`yarn gh-pages`), and is kept only before its own words.
        """
        text, previous = self.text, ""
        while text != previous:
            previous = text
            for start in (_VARIABLE, _RUNNERS):
                text = text[found.end() :] if (found := start.match(text)) else text
        name, space, rest = _OF_GIT.sub("git ", text).partition(" ")
        return f"{_VERSION.sub('', posixpath.basename(name))}{space}{rest}"

    @property
    def place(self) -> str:
        """The folder on whose files it works: the one that it runs in, unless it is Git's for another one."""
        own = _OF_GIT.match(self.text)
        return posixpath.normpath(posixpath.join(self.folder, own[1])) if own else self.folder

    @property
    def checkout(self) -> str | None:
        """The folder into which it puts a branch or another repository; None if it does not, or names none."""
        found = _CHECKS_OUT.match(self.plain)
        return posixpath.normpath(posixpath.join(self.place, found[1])) if found else None

    @property
    def copy(self) -> tuple[str, str] | None:
        """The folder whose files it copies or moves, and the one that gets them; None if it is no such command."""
        words = shlex.split(self.text) if _COPIES.match(self.text) else []
        paths = [word for word in words[1:] if not word.startswith("-")]
        if len(paths) != 2 or not (re.search(r"/[*.]?\Z", paths[0]) or re.search(r" -\w*[aRr]", self.text)):
            return None
        source, target = (posixpath.normpath(posixpath.join(self.folder, path.removesuffix("*"))) for path in paths)
        return source, target


def typed_in(folder: str, command: str) -> str:
    """A command that runs in a folder as it is typed in the folder above, from which the path begins."""
    return command if folder == "." else f"(cd {shlex.quote(folder)} && {command})"


IN_FOLDER = re.compile(r"\(cd ('[^']*'|\S+) && ([^()]*)\)")
"""What `typed_in` makes of a command in a folder: the folder, and the command."""

Called = Callable[[Sequence[str], str], Iterator[tuple[str, str]]]
"""Gives the scripts that a command, by its words, runs in a folder, each with the folder in which it begins."""


def commands_of(script: str, folder: str, called: Called = lambda words, folder: iter(())) -> Iterator[Command]:
    """The commands of a script that begins in a folder, in order, with those of the scripts that it runs."""
    return islice(_commands(script, folder, called, _MOST_CALLS), _MOST_COMMANDS)


def _commands(script: str, folder: str, called: Called, calls: int) -> Iterator[Command]:
    for words, place in _split(script, folder):
        yield Command(" ".join(map(_quoted, words)), place, _MOST_CALLS - calls)
        for text, folder_of_it in called(words, place) if calls else ():
            yield from _commands(text, folder_of_it, called, calls - 1)


def run_before(depth: int, commands: Sequence[Command]) -> Sequence[Command]:
    """What was run before a command at a depth, without what calls that one and what others call."""
    found = list[Command]()
    for command in reversed(commands):
        if command.depth == depth:
            found.append(command)
        depth = min(depth, command.depth)
    return found[::-1]


def _quoted(word: str) -> str:
    """A word as it would be typed: in quotes if it was, or else it would be several words or commands."""
    return word if word and not _IN_QUOTES.search(word) else shlex.quote(word)


def _split(script: str, folder: str) -> Iterator[tuple[list[str], str]]:
    """The words of each command, and the folder in which it runs, which `cd` changes up to the end of its group."""
    places = [folder]
    for line in _plain(script[:_MOST_CHARACTERS]).splitlines()[:_MOST_LINES]:
        words = list[str]()
        for token in [*_tokens(line), ";"]:
            if not token.strip(";&|()"):
                if len(words) == 2 and words[0] == "cd":
                    above = "." if words[1] == _AT_ROOT else places[-1]
                    places[-1] = posixpath.normpath(posixpath.join(above, words[1]))
                elif words := words[words[0] in _KEYWORDS :] if words else []:
                    yield words, places[-1]
                words = []
                places = [*places, *[places[-1]] * token.count("(")]
                places = places[: max(1, len(places) - token.count(")"))]
            elif len(words) < _MOST_WORDS:
                words.append(token)


def _plain(script: str) -> str:
    """A script with whole lines, and one word in the place of each expression and of what a command prints."""
    text = at_root(script.replace("\\\n", " "))
    for _ in range(_MOST_NESTED):
        text = _SUBSTITUTION.sub("$_", text)
    return text


def at_root(text: str) -> str:
    """A text with one word in the place of each expression, and `./` in that of the repository's folder on a runner."""
    return _ROOT.sub(_AT_ROOT, _EXPRESSION.sub(lambda found: "${{" + "".join(found[1].split()) + "}}", text))


def _tokens(line: str) -> list[str]:
    """The words of a line of a shell; none of one that cannot be read."""
    reader = shlex.shlex(line, posix=True, punctuation_chars=";&|()")
    reader.whitespace_split = True
    try:
        return list(reader)
    except ValueError:  # a quotation that goes on in the next line
        return []
