"""Reads the text of a source file, as far as it can appear on a page, whatever its markup language is."""

import re
from collections.abc import Iterable

from waypost.core.character_references import unescape
from waypost.dates import notebooks
from waypost.pages.frontmatter import front_matter

MAX_BYTES = 524_288
"""Of a longer file only so much is read: its beginning identifies it."""
EMBEDDED = re.compile(rb"(?<![A-Za-z0-9+/=\\])(?=[a-z0-9+/=\\]{0,99}+[A-Z])[A-Za-z0-9+/=\\]{512,}+")
"""An image or the like in base64, as in the outputs of notebooks: no text, though it takes most of the time as one.

256: `test_long_words_are_text`; 2,048: `test_images_in_a_file_are_no_text`.
"""
_PROGRAM_ENDINGS = (".php", ".py", ".rb")
_COMPONENT_ENDINGS = (".jsx", ".tsx", ".vue", ".svelte", ".astro")
_CODE_ENDINGS = (".js", ".ts", ".mjs", *_COMPONENT_ENDINGS, *_PROGRAM_ENDINGS)
"""Only what is between tags of such a file can be text of a page."""
DATA_ENDINGS = (".yaml", ".yml", ".json", ".toml", ".csv")
HTML_ENDINGS = (
    ".html",
    ".htm",
    ".xhtml",
    ".njk",
    ".liquid",
    ".hbs",
    ".mustache",
    ".webc",
    ".ejs",
    ".erb",
    ".twig",
    ".eta",
)
"""The endings of HTML, in which there may be commands of a template."""
_TEMPLATE_ENDINGS = (*HTML_ENDINGS, ".pug", ".haml", ".slim", *_CODE_ENDINGS)
"""The endings of files that may repeat a part for each of many things."""
MARKDOWN_ENDINGS = (
    ".md",
    ".markdown",
    ".mdown",
    ".mkd",
    ".mkdn",
    ".mdwn",
    ".mdx",
    ".mdoc",
    ".rmd",
    ".qmd",
    ".pandoc",
    ".pdc",
)
TEXT_ENDINGS = (
    *(*MARKDOWN_ENDINGS, ".rst", ".adoc", ".dj", ".asciidoc", ".asc", ".org", ".textile", ".txt", ".ipynb", ".tex"),
    *(".wiki", ".mediawiki", ".creole", ".pod", ".typ", ".meta"),
    *_TEMPLATE_ENDINGS,
    *DATA_ENDINGS,
)
"""The endings of the files that generators make pages of."""

_REPEATED = re.compile(
    rb"\{%-?\s*for\b|\{\{-?\s*range\b|\{\{#each\b|\bv-for=|\.map\s*\(|\bforeach\b|\.each\b", re.IGNORECASE
)
_TITLE = re.compile(r"""^(?::|\.\. )?title[ \t]*[:=][ \t]*["']?(.*)""", re.MULTILINE | re.IGNORECASE)
"""A title, before its last quotation mark."""


def _between(*pairs: tuple[str, str]) -> str:
    """The alternatives of what is between a start and its end, without another such start, so that no text is slow."""
    return "|".join(rf"{start}(?:(?!{start}).)*?{end}" for start, end in pairs)


_REMOVED = re.compile(
    _between(
        ("<!--", "-->"),
        (r"\{/\*", r"\*/\}"),
        (r"\{%-?\s*comment", r"endcomment\s*-?%\}"),
        (r"<script\b", r"</script\s*>"),
        (r"<style\b", r"</style\s*>"),
    ),
    re.DOTALL | re.IGNORECASE,
)
_TEMPLATE_TAGS = re.compile(_between((r"\{\{", r"\}\}"), (r"\{%", r"%\}"), (r"\{#", r"#\}"), ("<%", "%>")), re.DOTALL)
CODE_LINES = re.compile(
    r"^[ \t]*(?:import\s.*from\s.*|import\s+[\"'].*|export\s+(?:const|default|function)\b.*)$", re.MULTILINE
)
_DIRECTIVES = re.compile(r"^[ \t]*(?:\.\. [\w:-]+::.*|:[\w-]+:(?: .*)?|:::.*|\.\. _.*:.*)$", re.MULTILINE)
_BLOCK_ATTRIBUTES = re.compile(r"^[ \t]*\[[\w#.,=\"' %-]*\]$", re.MULTILINE)
"""Lines of reStructuredText, AsciiDoc and MyST that are not shown."""
_REFERENCES = re.compile(r"^[ \t]*\[(?:[^\]\n]++|\n(?![ \t]*\[))++\]:[ \t].*$", re.MULTILINE)
"""The name of a reference ends before the next line that may be one, so that each line is read once."""


def _before_target(link: re.Match[str]) -> str:
    """The text of a link without the space before its target."""
    return link[1].rstrip() if link[2] else link[1]


def _link_text(link: re.Match[str]) -> str:
    """The text of a link; one without an end is the rest of the file, which stays as it is."""
    return link[1] if link[2] else link[0]


def _block_end(tag: re.Match[str]) -> str:
    """What replaces a tag; one without an end is the rest of the file, which stays as it is."""
    return "\n\n" if tag[1] else tag[0]


_LINKS = (
    ("![", re.compile(r"!\[[^\]]{0,1000}+\]\([^)]{0,1000}+\)"), " "),
    ("](", re.compile(r"\[([^\]\[]*+)\]\([^)]{0,1000}+\)"), r"\1"),
    ("][", re.compile(r"\[([^\]\[]*+)\]\[[^\]]*+\]"), r"\1"),
    ("`", re.compile(r":[\w:+-]{1,60}:`([^`<]*+)(<[^>`]*+>)?`"), _before_target),
    ("`", re.compile(r"`([^`<]++)(<[^>`]*+>)`_+"), _before_target),
    ("[", re.compile(r"(?:link:|xref:|https?://)[^\s\[\]]{1,1000}+\[([^\]]*+)(\]|\Z)"), _link_text),
    ("{", re.compile(r"\{[#.:][^}\n]{0,200}+\}"), " "),
)
"""Links and attributes of Markdown, reStructuredText and AsciiDoc: only their text is shown.

Their lengths are limited, so that no text is slow.
"""
_BLOCK_TAGS = re.compile(
    r"</?(?:address|article|aside|blockquote|body|br|button|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form"
    r"|h[1-6]|head|header|hr|html|label|legend|li|main|nav|ol|option|p|pre|section|select|summary|table|tbody|td|tfoot|th"
    r"|thead|title|tr|ul)\b[^>]*+(>|\Z)",
    re.IGNORECASE,
)
_TAGS = re.compile(r"</?[A-Za-z][^<>]*>")
_LONG_STRINGS = re.compile(r'"{3}(.*?)"{3}|\'{3}(.*?)\'{3}', re.DOTALL)
_STRINGS = re.compile(r'\\.|"((?:[^"\\\n]|\\.){3,4000}+)"|\'((?:[^\'\\\n]|\\.){3,4000}+)\'|`((?:[^`\\]|\\.){3,4000}+)`')
"""Bounded, so that many quotes without an end take time in proportion to the length of the text.

A quote after a backslash begins no string: otherwise each of many would be read to the limit.
"""
_BETWEEN_TAGS = re.compile(r">([^<>{}]+)<")
_LETTER = re.compile(r"[^\W\d_]")
_SIGN = re.compile("[:=]")
_NAME = re.compile(r"(?:- )?[\"']?[\w .-]{1,60}[\"']?")
_CELL = re.compile(r"[;,](?=\S)|\"[ \t]*,[ \t]*\"")
_EMPHASIS = re.compile(r"(?<=\S)[*`~]+|[*`~]+(?![*`~ \t])")
"""Not the mark of an item, before which a block ends."""
_BLOCK_END = re.compile(
    r"\n[ \t]*\n|\n[ \t]*(?:[-*+]|\d+[.)]|[*.]+)[ \t]|\n(?=#)|(?<=\n)[#=]+[ \t]|\||\n[ \t]*[=~^\"'-]{3,}[ \t]*\n|\n>"
)


_REPLACED = (
    ("<!--", _REMOVED, " "),
    ("{/*", _REMOVED, " "),
    ("endcomment", _REMOVED, " "),
    ("</", _REMOVED, " "),
    ("{", _TEMPLATE_TAGS, " "),
    ("<%", _TEMPLATE_TAGS, " "),
    ("port", CODE_LINES, "\n"),
    (":", _DIRECTIVES, "\n"),
    ("[", _BLOCK_ATTRIBUTES, "\n"),
    ("]:", _REFERENCES, "\n"),
    *_LINKS,
    ("<", _BLOCK_TAGS, _block_end),
    ("<", _TAGS, ""),
    ("*", _EMPHASIS, ""),
    ("`", _EMPHASIS, ""),
    ("~", _EMPHASIS, ""),
)
"""What is replaced in a text with markup, in this order; a text without the sign of a pattern is not searched."""


def may_have_text(path: str) -> bool:
    """Whether generators make pages of files with such names."""
    return path.lower().endswith(TEXT_ENDINGS)


def is_markup(path: str) -> bool:
    """Whether a file is a text with markup, and neither data nor code."""
    return not path.lower().endswith((*DATA_ENDINGS, *_CODE_ENDINGS))


def is_code(path: str) -> bool:
    """Whether a file is the code of a program or of a page."""
    return path.lower().endswith(_CODE_ENDINGS)


def is_component(path: str) -> bool:
    """Whether a file is the code of a page, or of a part of one, with its text."""
    return path.lower().endswith(_COMPONENT_ENDINGS)


def is_module(path: str) -> bool:
    """Whether a file is a module of Python, of which generators show docstrings."""
    return path.lower().endswith((".py", ".pyi"))


def is_page_source(path: str) -> bool:
    """Whether generators make a page of such a file alone: not of data, and not of the code of programs."""
    return not path.lower().endswith((*DATA_ENDINGS, *_PROGRAM_ENDINGS))


def shows_others(path: str, data: bytes) -> bool:
    """Whether a template repeats a part for each of many things, such as posts, that other files have."""
    return path.lower().endswith(_TEMPLATE_ENDINGS) and bool(_REPEATED.search(data[:MAX_BYTES]))


def read_blocks(path: str, data: bytes) -> list[str]:
    """The blocks of text (paragraphs, items, cells) of a file with this path; none of a binary file."""
    if b"\0" in data[:8_192] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return []
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    if path.lower().endswith(notebooks.ENDING):
        data = notebooks.shown(data) or data
    text = EMBEDDED.sub(b" ", data)[:MAX_BYTES].decode(encoding, "replace").replace("\r\n", "\n")
    if path.lower().endswith(_CODE_ENDINGS):
        return _blocks_of_code(text)
    if path.lower().endswith(DATA_ENDINGS):
        return _blocks_of_data(text)
    title, text = _without_front_matter(text)
    for sign, pattern, replacement in _REPLACED:
        if sign in text:
            text = pattern.sub(replacement, text)
    return [*title, *_folded(_BLOCK_END.split("\n" + text))]


def _blocks_of_code(text: str) -> list[str]:
    """The texts between tags, and the texts of strings that have several words."""
    text = _REMOVED.sub(" ", text)
    long = ["".join(groups) for groups in _LONG_STRINGS.findall(text)]
    paragraphs = (block for each in long for block in _BLOCK_END.split(_EMPHASIS.sub("", each)))
    strings = ("".join(groups) for groups in _STRINGS.findall(_LONG_STRINGS.sub(" ", text) if long else text))
    between = filter(_LETTER.search, _BETWEEN_TAGS.findall(text))
    found = [*paragraphs, *between, *(each for each in strings if " " in each.strip())]
    return _folded(_TAGS.sub(" ", block) for block in found)


def _blocks_of_data(text: str) -> list[str]:
    """The value in each line of YAML, TOML, JSON or CSV that has several words."""
    cells = (cell for line in text.split("\n") for cell in _CELL.split(line) if " " in cell)
    found = (_without_name(cell).strip(" \t\"',[]{}") for cell in cells)
    return _folded(_TAGS.sub(" ", value) for value in found if " " in value)


def values(fields: str) -> list[str]:
    """Every value of front matter or data, also of one word."""
    cells = (cell for line in fields.split("\n") for cell in _CELL.split(line))
    return _folded(_TAGS.sub(" ", _without_name(cell).strip(" \t\"',[]{}-")) for cell in cells)


def _without_name(cell: str) -> str:
    """The value of a field, without its name."""
    sign = _SIGN.search(cell)
    value = cell[sign.end() :].lstrip(" \t") if sign else ""
    name = cell[: sign.start()].rstrip(" \t").lstrip(" \t{[") if sign else ""
    return value if not value[:1].isspace() and value and _NAME.fullmatch(name) else cell


def _folded(blocks: Iterable[str]) -> list[str]:
    return list(filter(None, (" ".join((unescape(block) if "&" in block else block).split()) for block in blocks)))


def _without_front_matter(text: str) -> tuple[list[str], str]:
    """The title that the front matter gives, and the text after it."""
    fields, rest = front_matter(text)
    found = _TITLE.search(fields)
    title = found[1].rstrip(" \t") if found else ""
    title = title[:-1] if title.endswith(("'", '"')) else title
    return ([title] if title else []), rest
