"""Decides whether a commit changed what a source file gives a page: its text, and not only how that is written.

A commit that wraps lines anew, indents them, or marks lists, emphasis and headings in another way, as formatters do,
changes no page. Neither does one of front matter that only says when the page last changed: Git knows that, and tools
write it at every commit. Of data such a key counts: pages show them.
"""

import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cache
from itertools import groupby
from posixpath import splitext
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from waypost.core.character_references import unescape
from waypost.core.hashing import sample_by_hash
from waypost.core.page_changes import PageChange, Read, Verdicts, Version, name_at
from waypost.dates import merges, notebooks, source_text
from waypost.dates.formatting_commits import LEAST_EDITS, has_same_words, only_formats
from waypost.dates.named_parts import without_includes
from waypost.dates.source_text import CODE_LINES, EMBEDDED, HTML_ENDINGS, MARKDOWN_ENDINGS, MAX_BYTES, TEXT_ENDINGS
from waypost.dates.text_matches import WORD
from waypost.pages import html_tree
from waypost.pages.frontmatter import front_matter, without_modification_dates

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_BATCH = 100
"""How many changes are read at once; no verdict depends on it."""
_SAMPLE_FILES = 100
"""How many files of a commit are read at most to tell whether it is one of formatting."""
_FIELD_WORD = re.compile(r"[^\s\"'\[\]{},=]+")
_FIELD_START = re.compile(r"\n(?=[\w\"'.:])")
"""Where the line of another field begins; the lines of its value are indented, or are items."""
_FIELD_MARKS = ":-+|>"
"""The marks before a value, an item or a text of several lines."""
_SPACE = re.compile(r"\s+")
_IDEOGRAPH = r"[\u2e80-\u9fff\uf900-\ufaff]"
_LETTER = r"[^\W\u2e80-\u9fff\uf900-\ufaff]"
_WORD_END = re.compile(rf"(?<={_LETTER})\s+(?={_LETTER})")
"""White space between two words, in scripts that write it."""
_BESIDE_IDEOGRAPH = re.compile(rf"(?<=\w)[ \t]+(?={_IDEOGRAPH})|(?<={_IDEOGRAPH})[ \t]+(?=\w)")
_COMMENT = re.compile(
    r"<!--(?!\s*(?:@|#\w))(?:(?!<!--|-->).)*+-->|\{\s*+/\*(?:(?!/\*|\*/).)*+\*/\s*+\}|<!doctype html>"
    r"|<style\b(?:(?!</?style\b).)*+</style>",
    re.DOTALL | re.IGNORECASE,
)
"""A comment, also of MDX, the declaration of HTML, or a style; `<!-- @include: a.md -->` is a command of VitePress."""
_UNSEEN_OPTION = re.compile(
    r"\n[ \t]*:no-?(?:index|contents)(?:-entry)?:[ \t]*(?=\n|\Z)"
    r"|\n[ \t]*:(?:class|name|width|height|scale|align):[^\n]*"
    r"|(?<=\S)[ \t]*\{#[\w:.-]+\}[ \t]*$|^(?:\([\w .:-]+\)=|\.\. _[\w .-]+:|\[![A-Z]+\]:[ \t]*#)[ \t]*$",
    re.MULTILINE,
)
"""An option of a directive that decides where else its object is named (Sphinx, "Options" of domains), or how it looks,
a label, or a reference with the name of an alert, which is none."""
_COMMENT_LINES = {
    ".rst": re.compile(r"^\.\.[ \t]+(?![\w.+:-]+::|[_\[|])[^\n]*(?:\n[ \t]+\S[^\n]*)*", re.MULTILINE),
    ".adoc": re.compile(r"^//(?!/)[^\n]*", re.MULTILINE),
}
"""Comments of other markup (docutils, "Comments"; AsciiDoc, "Comment Lines")."""
_METADATA = re.compile(r"\s*(?:\.\.[ \t]+[\w-]+:(?!:).*\n)+")
"""The front matter of Nikola at the beginning of a text, which looks like comments."""
_RULES = re.compile(r"[-=]{3,}|^[ \t]*([#*^\"'+~._])\1{2,}[ \t]*$", re.MULTILINE)
"""Lines at headings and in tables of reStructuredText, of which formatters choose the lengths."""
_RULED = (".rst", ".txt")
"""The endings of files with such lines."""
_DIRECTIVE_ENDS = re.compile(r"^[ \t]*(?:`{3,}|~{3,}|:{3,})(?:(?=\{)|[ \t]*$)", re.MULTILINE)
"""The marks around a directive of MyST, which may be of colons or of backquotes, as many as one likes."""
_TABLE_ENDS = re.compile(r"^[ \t]*\|[| \t:-]*$|^[ \t]*\|++(?=[^\n]*\|[ \t]*$)|(?<=[^\n|])\|++[ \t]*$", re.MULTILINE)
"""The marks at the ends of the lines of a table, and its line without words (GitHub Flavored Markdown, "Tables")."""
_ESCAPES = re.compile(r"\\(?=[^\w\s])")
"""The marks before what AsciiDoc and reStructuredText take for no mark."""
_OF_CODE = re.compile(
    r"^import\s(?:[^\"'`;]{0,500}?\sfrom\s+)?([\"'])(?![^\"'\n]*\.(?:mdx?|json|ya?ml|csv|txt|html)\1)"
    r"[^\"'\n]+\1;?[ \t]*$",
    re.MULTILINE,
)
"""What MDX imports, but text and data: a page shows it where it is used."""
_AT_ENDS = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+|(?<![ \t])[ \t]+#+[ \t]*$", re.MULTILINE)
"""The mark of an item, and the marks at the end of a heading."""
_GROUP = re.compile(
    r"\b(return|in|is|and|or|not|if|elif|while|for|assert|yield|lambda|await|function)\s*\(|(?<![\w\])])\(|\)"
)
"""A parenthesis that begins no call, and any that ends one: formatters add them where they break a line."""
_ESCAPED = re.compile(r"\\(?=['\"])")
"""A formatter that changes quotation marks escapes those within."""
_IMPORT = re.compile(r"[ \t]*(?:import|from|use)\b")
_SPACE_IN_CALL = re.compile(r"(?<=[\w\])])[ \t]+(?=\()")
_JOINED = re.compile(r"\"\s*f?\"(?!\")")
"""What is between two texts in turn, which formatters join."""
_OPTIONAL_CODE = re.compile(
    r";(?=[\s)}\[(]|//|\Z)|,(?=(?:\s|//[^\n]{0,300}\n|/\*[^*]{0,300}\*/)*+[)\]}])"
    r"|\((?=\s*<|\w+\)\s*=>)|(?<=\w)\)(?=\s*=>)|(?<=>)\s*\)[\s)]*"
    r"|\{\" \"\}|/(?=>)"
)
"""Marks that formatters of JavaScript and its templates add, or leave out."""
_FENCE = re.compile(r"`{3}|~{3}")
_NO_CODE = re.compile(r"(?!)")
_FORMATTED_CODE = re.compile(
    r"\W*(?:(?:code(?:-block|-cell)?\W+)?(?:jsx?|tsx?|mjs|javascript|typescript|vue|svelte|astro|html|s?css|less|py"
    r"|python|pycon|rs|rust|go)\b)",
    re.IGNORECASE,
)
"""The languages of code in Markdown in which formatters write it anew."""
_LANGUAGE = re.compile(r"\A\s*+[\w+#.,:-]+(?=\s|\Z)")
"""The language of code in Markdown, which decides only its colours; in braces, it may be run."""
_LANGUAGE_AFTER_MARK = re.compile(r"(?<=```|~~~)[ \t]*+[\w+#.,:-]+(?=\s)")
_NUMBER = re.compile(r"^[ \t>]*\d{1,9}[.)][ \t]", re.MULTILINE)
_REFERENCE = re.compile(r"^[ \t]*\[(?!\^)[^\]\n]+\]:\s+\S.*(?:\n[ \t]+[\"'(].*)?$", re.MULTILINE)
_NAME = re.compile(r"\[([^\[\]]{1,1000})\]")
"""What may be the name of a reference, where it is used or told (CommonMark, "Link reference definitions")."""
_BLOCK = re.compile(r"</?(?:p|h[1-6]|[uo]l|li)>|<hr ?/?>")
"""The tags of paragraphs, headings and lists, whose marks are formatting, and a rule."""
_INLINE = re.compile(r"</?(?:em|strong|code|b|i)>")
"""The tags of emphasis and code in a line."""
_SELF_LINK = re.compile(r"<a href=\"#[^\"]*\">(?:&\w+;|[^\w<])*</a>")
"""A link without words to a place on the page, as generators add to headings."""
_INLINE_MARKS = re.compile(r"(?<![\w*`])(?:\*{1,2}|``)(?=\S)|(?<=\S)(?:\*{1,2}|``)(?![\w*`])")
"""The marks of emphasis and code in reStructuredText; a single backquote may be that of a link."""
_WRAPPERS = ("figure", "picture", "div", "section", "span", "center", "font")
"""The elements that show nothing but what is in them."""
_TAG = re.compile(
    rf"<(/?)({'|'.join(_WRAPPERS)}|h[1-6]|p|img|a|table|thead|tbody|tr|t[dh]|[uod]l|li|d[td]|pre|blockquote|video|audio"
    r"|source|iframe|su[bp])\b((?:\s[^<>]*)?)>",
    re.IGNORECASE,
)
"""A tag of HTML of which a page shows no other attributes than the next ones."""
_ATTRIBUTE = re.compile(r"\b(href|src|srcset|alt|title)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)", re.IGNORECASE)
_PLAIN_LINK = re.compile(r'<a href="(?:mailto:)?(https?://[^"]*|[^"@]+@[^"]+)">\1</a>')
"""A link that some generators make of the URL or the address alone."""


class SourceChanges:
    """Compares the versions of source files before and after each commit; at most `budget` changes are looked at.

    `is_alike` tells by a file's path, or a part's name, whether its newer and its older version give a page the same.
    """

    def __init__(
        self,
        read: Read,
        budget: int,
        read_ahead: Callable[[Sequence[Version]], object],
        *,
        endings: tuple[str, ...] = TEXT_ENDINGS,
        is_alike: Callable[[str, bytes, bytes], bool] | None = None,
    ) -> None:
        self._read, self._budget, self._read_ahead, self.endings = read, budget, read_ahead, endings
        self._is_alike = is_alike or are_alike

    def begin(self, page_count: int) -> None:
        """How many files there are decides nothing."""

    def expect(self, changes: Sequence[PageChange]) -> None:
        """Begin to read what the next checks will probably need."""
        self._read_ahead(_versions([change for change in changes if not _is_same(change)]))

    def sample(self, changes: Sequence[PageChange]) -> Sequence[PageChange]:
        """The files by which a commit is told to be one of formatting; none if it changed too few for that."""
        versions = {(change.before, change.after): change for change in changes if not _is_same(change)}
        return sample_by_hash(versions.values(), _SAMPLE_FILES, _path_in_commit) if len(versions) >= LEAST_EDITS else ()

    def check(self, changes: Sequence[PageChange], undecided: Set[str]) -> Verdicts:
        """Decide for the undecided files whether the commit changed them; beyond the budget it did."""
        own = [change for change in changes if change.path in undecided]
        unchanged = {change.path for change in own if _is_same(change)}
        others, unread, rewritten = [change for change in own if not _is_same(change)], set[str](), set[str]()
        compared, may_be_formatting = others[: max(0, self._budget)], len(changes) >= LEAST_EDITS
        for start in range(0, len(compared), _BATCH):
            batch = compared[start : start + _BATCH]
            contents = self._read(_versions(batch))
            for change, after, before in zip(batch, contents, contents, strict=True):
                if after is None or before is None:
                    unread.add(change.path)
                elif self._is_alike(name_at(change.path, change.at) if change.at else change.path, after, before):
                    unchanged.add(change.path)
                elif may_be_formatting and has_same_words((before, after)):
                    rewritten.add(change.path)
        self._budget -= len(others)
        if rewritten:
            only_formats = self._only_formats(changes)
            unchanged |= rewritten if only_formats else set()
            unread |= rewritten if only_formats is None else set()
        return Verdicts(unchanged, unread=unread)

    def _only_formats(self, changes: Sequence[PageChange]) -> bool | None:
        """Whether a commit is one of formatting; None if a version in the sample cannot be read."""
        sample = self.sample(changes)
        self._budget -= len(sample)
        contents = self._read(_versions(sample))
        texts = [
            (before, after)
            for after, before in zip(contents, contents, strict=True)
            if before is not None and after is not None
        ]
        return only_formats(texts) if len(texts) == len(sample) else None

    def combined(self, by_parent: Sequence[Sequence[PageChange]], undecided: Set[str]) -> Set[str]:
        """The undecided files in which a merge only combines what its parents have; beyond the budget none."""
        if self._budget <= 0:
            return frozenset()
        self._budget -= len(undecided)
        return merges.combined(by_parent, undecided, self._read)


def _path_in_commit(change: PageChange) -> str:
    return change.at or change.path


def _versions(changes: Sequence[PageChange]) -> list[Version]:
    return [version for change in changes for version in (change.after, change.before)]


def _is_same(change: PageChange) -> bool:
    return change.before == change.after


def are_alike(path: str, one: bytes, other: bytes) -> bool:
    """Whether two versions of a file give a page the same text, links and fields."""
    if path.lower().endswith(notebooks.ENDING):
        path, one, other = f"{path}.md", notebooks.shown(one) or one, notebooks.shown(other) or other
    if max(len(one), len(other)) > MAX_BYTES or EMBEDDED.findall(one) != EMBEDDED.findall(other):
        return False
    text, older = (_decoded(EMBEDDED.sub(b" ", data)) for data in (one, other))
    if is_markup := source_text.is_markup(path):
        text, older = (_without_unseen(path, each) for each in (text, older))
    if _words(text) != _words(older):
        return False
    if source_text.is_code(path):
        return _without_space(_code(text)) == _without_space(_code(older))
    if not is_markup:
        return _field_words(text) == _field_words(older)
    (fields, shown), (older_fields, older_shown) = map(_parts, (text, older))
    return fields == older_fields and _is_shown_alike(path.lower(), shown, older_shown)


def _without_unseen(path: str, text: str) -> str:
    """A text with markup without what decides nothing that its page shows."""
    plain = _SELF_LINK.sub("", _UNSEEN_OPTION.sub("", without_modification_dates(text)))
    ending = splitext(path.lower())[1]
    if ending == ".mdx":
        before = plain[: fence.start() if (fence := _FENCE.search(plain)) else None]
        plain = _OF_CODE.sub("", before) + plain[len(before) :]
    if comment := _COMMENT_LINES.get(ending):
        start = found.end() if (found := _METADATA.match(plain)) else 0
        plain = plain[:start] + comment.sub("", plain[start:])
    return without_includes(path, plain)


def are_alike_as_code(one: str, other: str) -> bool:
    """Whether two pieces of code differ in what formatters choose alone."""
    return _without_space(_listing(one)) == _without_space(_listing(other))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")


def _parts(text: str) -> tuple[Sequence[Sequence[str]], str]:
    """The fields of a text with markup, in alphabetical order, each with its words; and the rest without comments."""
    fields, rest = front_matter(text)
    return sorted(map(_field_words, _FIELD_START.split(fields))), _COMMENT.sub("", rest)


def _is_shown_alike(path: str, one: str, other: str) -> bool:
    """Whether two texts with markup show the same: without a parser, if that is enough, or as their HTML is parsed."""
    if _plain(path, one) == _plain(path, other):
        return True
    if path.endswith(MARKDOWN_ENDINGS):
        # As it is written first: what has a language in one of them alone is not normalised in the other.
        kinds = (_NO_CODE, _FORMATTED_CODE) if any(map(_FENCE.search, (one, other))) else (_NO_CODE,)
        return any(_parsed(_html(one, formatted)) == _parsed(_html(other, formatted)) for formatted in kinds)
    return path.endswith(HTML_ENDINGS) and _parsed(one) == _parsed(other)


def _plain(path: str, text: str) -> str:
    """A text without the marks that need no parser to be told from it."""
    plain = _AT_ENDS.sub("", text)
    if path.endswith(MARKDOWN_ENDINGS):
        return _without_space(_TABLE_ENDS.sub("", _DIRECTIVE_ENDS.sub("```", plain)))
    plain = _ESCAPES.sub("", plain) if path.endswith((*_RULED, *_COMMENT_LINES)) else plain
    return _without_space(_INLINE_MARKS.sub("", _RULES.sub("", plain)) if path.endswith(_RULED) else plain)


def _parsed(html: str) -> str:
    """HTML as a browser's parser reads it, without what says nothing."""
    tree = html_tree.parse_whole(BOM_UTF8 + html.encode("utf-8", "backslashreplace"))
    read = _TAG.sub(_tag, (tree.html if tree else html) or "")
    return _without_space(_PLAIN_LINK.sub(r"\1", _INLINE.sub("", _BLOCK.sub("\n", read)).replace("'", '"')))


def _tag(found: re.Match[str]) -> str:
    """A tag with the attributes that a page shows or links with, in one order; nothing of one that only wraps."""
    end, name, attributes = found.groups()
    kept = sorted(f" {key}={value}" for key, value in _ATTRIBUTE.findall(attributes))
    return "" if name.lower() in _WRAPPERS else f"<{end}{name}{''.join(kept)}>"


def _values(found: re.Match[str]) -> str:
    """The values of the attributes that a page shows or links with."""
    return f" {' '.join(value for _, value in _ATTRIBUTE.findall(found[3]))} "


def _words(text: str) -> set[str]:
    """The words of a text that no formatter adds or removes: if they differ, no more needs to be compared."""
    plain = _LANGUAGE_AFTER_MARK.sub("", _REFERENCE.sub("", _TAG.sub(_values, _COMMENT.sub("", text))))
    return set(WORD.findall(_NUMBER.sub("", unquote(unescape(plain)))))


def _html(markdown: str, formatted: re.Pattern[str]) -> str:
    """The HTML and the references of a text in Markdown (CommonMark with tables), some code without its formatting.

    These may be used where a dialect sees text, but CommonMark code or HTML.
    """
    parser, found = _markdown_parser(), dict[str, Any]()
    tokens = parser.parse(CODE_LINES.sub(lambda line: _code(line[0]), markdown), found)
    for token in tokens:
        if token.type == "fence":
            code = _listing(token.content) if formatted.match(token.info) else token.content
            token.content, token.info = f"{_LANGUAGE.sub('', token.info)}\n{code}", ""
    return f"{parser.renderer.render(tokens, parser.options, found)}{_used(found, markdown)}"


def _used(found: Mapping[str, Any], markdown: str) -> list[tuple[str, str]]:
    """The names and targets of the references that a text has elsewhere, too."""
    counts = Counter(" ".join(name.casefold().split()) for name in _NAME.findall(markdown))
    references = found.get("references", {}).items()
    return sorted((name, each["href"]) for name, each in references if counts[name.casefold()] > 1)


@cache
def _markdown_parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # most changes are told without it

    return MarkdownIt("commonmark").enable("table")


def _code(text: str) -> str:
    """Code without what formatters choose but white space: its quotation marks, and marks that may be left out."""
    return _OPTIONAL_CODE.sub("", _ESCAPED.sub("", text).replace("'", '"'))


def _listing(code: str) -> str:
    """Code that formatters write anew, without what they choose, and with its lines that import in one order."""
    groups = groupby(code.replace("\\\n", " ").split("\n"), key=lambda line: bool(_IMPORT.match(line)))
    code = "\n".join(line for is_import, lines in groups for line in (sorted(lines) if is_import else lines))
    return _GROUP.sub(
        lambda found: f"{found[1]} " if found[1] else "", _SPACE_IN_CALL.sub("", _JOINED.sub("", _code(code)))
    )


def _field_words(fields: str) -> list[str]:
    """The words of data or front matter without the marks around them, which differ between YAML, TOML and JSON."""
    found = _FIELD_WORD.findall(_BESIDE_IDEOGRAPH.sub("", fields))
    return [word.strip(":") for word in found if word.strip(_FIELD_MARKS)]


def _without_space(text: str) -> str:
    """A text without white space but for one mark between two words."""
    return _SPACE.sub("", _WORD_END.sub("\0", text))
