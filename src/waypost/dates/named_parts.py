"""Finds what a source file names as a part of its page: files that it includes, parts of them, and docstrings.

Each markup language and generator has its own commands for this. A name with a variable, of another repository, or
outside of the project names nothing, and neither does one in a listing, where the generator shows it as it is.
"""

import posixpath
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import NamedTuple

from waypost.dates.file_parts import OF_PACKAGES, ModuleNames, Part, read_names, read_part
from waypost.dates.source_text import DATA_ENDINGS, MARKDOWN_ENDINGS, MAX_BYTES, is_module

_MOST_PARTS = 500
"""So many names of a file are looked up at most; no test has so many."""
_LONGEST_NAME = 300
_ASCIIDOC = (".adoc", ".asciidoc", ".asc")
_TEXT_OR_DATA = (*MARKDOWN_ENDINGS, ".rst", ".txt", ".html", *DATA_ENDINGS)
_LIQUID = (*MARKDOWN_ENDINGS, ".html")
_IMPORTING = (".mdx", ".astro", ".vue", ".svelte", ".md")
_MOST_REEXPORTS = 3
"""How many modules in turn may pass on a name that another one defines."""

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^`\n]*)")
_ANTORA = re.compile(r"(?:(?:[\w.~-]+@)?(?:([\w.-]*):)?([\w.-]*):)?(page|partial|example)\$(.+)")
_OPTION = re.compile(r"[ \t]*:([\w-]+):[ \t]*(.*)")
_OBJECTS = "module|class|function|method|data|exception|attribute|property|decorator"
_AUTO = re.compile(
    rf"^([ \t]*)(?:\.\. |`{{3,}}\{{|:{{3,}}\{{)auto({_OBJECTS})(?:::|\}})[ \t]+([\w.]+)[^\n]*((?:\n[ \t]*:[^\n]*)*)",
    re.MULTILINE,
)
_DEFAULTS = re.compile(r"^autodoc_default_(?:options|flags)[^=\n]*=\s*([\[{][^\]}]{0,2000})", re.MULTILINE)
"""The options that directives have unless they are given others (Sphinx, `autodoc_default_options`)."""
_OTHER_CODE = re.compile(r"^[ \t]*\.\. (?:doxygen\w+|autosummary)::", re.MULTILINE)
"""Directives that show code which is not looked for."""
_MODULE = re.compile(r"^\.\. (?:py:)?(?:current|auto)?module::[ \t]+([\w.]+)", re.MULTILINE)
_DIRECTIVE = re.compile(
    r"^[ \t]*(?:\.\. |`{3,}\{|:{3,}\{)(include|literalinclude|csv-table)(?:::|\})[ \t]*([^\n]*)((?:\n[ \t]*:[^\n]*)*)",
    re.MULTILINE,
)
_NUMBERS = re.compile(r"\{?(?=[\d:,])(\d*)([:,]?)(\d*)(?::\d+)*\}?")
"""Numbers of lines, as in `5`, `5:10`, `:10` or `{5,10}`; a third number is that of each how many-th line."""
_SHORTCODE = re.compile(r"\{\{[<%](?!/\*)([^{}]{1,1000})[>%]\}\}")
_QUOTED = re.compile(r"[\"`]([^\"`\n]{1,300})[\"`]")


class _Command(NamedTuple):
    """How a file is named: by what files, the pattern with its `name` and perhaps a `region`, and below which folders.

    In a listing, the command `is_shown` as it is. It `is_plain` if it shows the file, and says nothing else, and is
    `of_tag` if an attribute names the file, which may as well be a link.
    """

    endings: tuple[str, ...]
    pattern: re.Pattern[str]
    folders: tuple[str, ...] = ("",)
    is_shown: bool = False
    is_plain: bool = False
    of_tag: bool = False

    @property
    def is_import(self) -> bool:
        """Whether it imports code, which shows nothing by itself, unless it is `raw`."""
        return "raw" in self.pattern.groupindex


_COMMANDS = (
    # AsciiDoc, "Include Directive"; Antora, "Resource IDs"
    _Command(
        _ASCIIDOC,
        re.compile(r"^include::(?P<name>[^\[\]\n]+)\[(?P<region>[^\]\n]*)\]", re.MULTILINE),
        is_plain=True,
    ),
    # PyMdown Extensions, "Snippets"
    _Command(
        MARKDOWN_ENDINGS,
        re.compile(r"(?<![;\w-])-{1,8}8<-{1,8}[ \t]+[\"'](?P<name>[^\"'\n:]+)(?::(?P<region>[^\"'\n]*))?[\"']"),
        ("", "docs/", "snippets/", "includes/"),
        is_plain=True,
    ),
    # mdBook, "mdBook-specific features"
    _Command(
        MARKDOWN_ENDINGS,
        re.compile(
            r"(?<!\\)\{\{\s*#(?:rustdoc_)?(?:include|playground)\s+(?P<name>[^{}\s:]+)(?::(?P<region>[^{}\s]*))?[^{}\n]*\}\}"
        ),
        is_plain=True,
    ),
    # VitePress, "Markdown File Inclusion" and "Import Code Snippets"
    _Command(
        MARKDOWN_ENDINGS,
        re.compile(r"<!--\s*@include:\s*(?P<name>[^\s{}#]+)#?(?P<region>[\w-]*(?:\{[\d,]+\})?)\s*-->"),
        is_shown=True,
        is_plain=True,
    ),
    _Command(
        MARKDOWN_ENDINGS,
        re.compile(r"^<<<[ \t]*(?P<name>[^\s{}#\[]+)#?(?P<region>[\w-]*)", re.MULTILINE),
        is_shown=True,
    ),
    # MDX, and components of Astro, Vue and Svelte
    _Command(
        _IMPORTING,
        re.compile(
            r"^[ \t]*import\s+[\w{}, *]+\sfrom\s+[\"'](?:!*[\w-]+!)?(?P<name>[^\"'\n?!]+)(?P<raw>\?raw)?", re.MULTILINE
        ),
        is_shown=True,
    ),
    # A component of the project that shows a file, which an attribute names
    _Command(
        (*MARKDOWN_ENDINGS, ".astro", ".vue", ".svelte"),
        re.compile(
            r"<[A-Z]\w*\s(?:[^<>]{0,500}\s)?(?:file|path|source|fileName|filePath)=\{?[\"'`](?P<name>[^\"'`{}<>\n]{1,300})"
        ),
        is_shown=True,
        of_tag=True,
    ),
    # Jekyll, "Includes"
    _Command(_LIQUID, re.compile(r"\{%-?\s*include(?:_cached)?\s+(?P<name>[^\s%{}]+)"), ("_includes/",)),
    _Command(_LIQUID, re.compile(r"\{%-?\s*include_relative\s+(?P<name>[^\s%{}]+)")),
    # Quarto, "Includes" and "Embedding from Other Documents"
    _Command(
        MARKDOWN_ENDINGS,
        re.compile(r"\{\{<\s*(?:include|embed)\s+(?P<name>[^\s>#]{1,300})[^>\n]{0,300}>\}\}"),
        is_shown=True,
    ),
)  # fmt: skip
_DATA_BY_NAME = re.compile(r"\b(?:site|Site|hugo)\.[dD]ata\.([\w.-]+)")
_LOOP = re.compile(r"\{%-?\s*for\s+[\w, ]{1,100}\s+in\s+([A-Za-z_]\w*)")
"""A loop over data, which Eleventy names as their file ("Global Data Files")."""
_COLLECTION = re.compile(r"\bgetEntry\(\s*[\"']([\w-]+)[\"']\s*,\s*[\"']([\w/.-]+)[\"']")
_MKDOCSTRINGS = re.compile(r"^(?:#{1,6}[ \t]+)?:::[ \t]+([A-Za-z_][\w.]*)[ \t]*$", re.MULTILINE)
_MAY_NAME = re.compile(r"include|8<-|<<<|csv-table")
"""What a text has that names a file by one of these commands."""


def without_includes(path: str, text: str) -> str:
    """A text without the commands that only include a file: each file on a page, and where it is named, is a part.

    Of other commands the file has no folder, as a page shows the same when it has moved.
    """
    if not _MAY_NAME.search(text):
        return text
    for command in _COMMANDS:
        if not (command.is_import or command.of_tag) and path.lower().endswith(command.endings):
            text = command.pattern.sub(_without_command if command.is_plain else partial(_without_folder, "name"), text)
    return _DIRECTIVE.sub(partial(_without_folder, 2), text)


def _without_command(found: re.Match[str]) -> str:
    """Nothing in the place of a command that names a file of the project, which one with a variable does not."""
    return found[0] if "{" in found["name"] or "://" in found[0] else ""


def _without_folder(group: str | int, found: re.Match[str]) -> str:
    start, end = (place - found.start() for place in found.span(group))
    return found[0][:start] + posixpath.basename(found[group].rstrip()) + found[0][end:]


def _kind(options: str) -> str:
    """What a directive shows of an object, by its options."""
    return "all" if "undoc-members" in options else "members" if "members" in options else "object"


class NamedParts:
    """Looks up what the tracked files of a project name; `read` reads one."""

    def __init__(self, paths: Sequence[str], read: Callable[[str], bytes]) -> None:
        self._paths, self._sorted, self._read = frozenset(paths), sorted(paths), read
        self._known: dict[str, tuple[Part, ...]] = {}
        self._known_docstrings: dict[Part, tuple[Part, ...]] = {}
        self._known_defaults: dict[str, str] = {}
        self._lacking = set[str]()
        self._names: dict[str, ModuleNames] = {}

    def of(self, path: str) -> tuple[Part, ...]:
        """The parts that a file names, each once, in order."""
        if path not in self._known:
            text = self._read(path)[:MAX_BYTES].decode("utf-8", "replace")
            found = (each for each in self._parts(path, text) if each.path != path)
            self._known[path] = tuple(dict.fromkeys(islice(found, _MOST_PARTS)))
        return self._known[path]

    def documented(self, name: str, modules: Sequence[str]) -> list[Part]:
        """The docstrings of an object with this whole name, or of one in these modules."""
        found = self._object(name, "members") if name.isidentifier() or "." in name else None
        return [*filter(None, [found]), *(Part(path, f"members:{name}") for path in modules if is_module(path))]

    def of_docstrings(self, part: Part) -> tuple[Part, ...]:
        """The objects that the directives in the docstrings of a part name, as in the module."""
        if part not in self._known_docstrings:
            text = read_part(part, self._read(part.path)[:MAX_BYTES].decode("utf-8", "replace"))
            found = self._objects(text, self._default_kind(part.path), self._module_names.get(part.path, ""))
            self._known_docstrings[part] = tuple(dict.fromkeys(islice(filter(None, found), _MOST_PARTS)))
        return self._known_docstrings[part]

    def lacks_code(self, path: str) -> bool:
        """Whether a file shows what code says of itself, and not all of this code is found."""
        self.of(path)
        return path in self._lacking

    def metadata(self, path: str) -> tuple[Part, ...]:
        """The front matter of a text that is in a file of its own (Nikola, "Metadata formats", two files)."""
        name = f"{posixpath.splitext(path)[0]}.meta"
        return (Part(name),) if name in self._paths else ()

    def beside(self, path: str) -> tuple[Part, ...]:
        """The data in the folder of a page bundle, which its index shows without a name (Hugo, "Page bundles")."""
        folder, name = posixpath.split(path)
        if not name.lower().startswith(("index.", "_index.")) or not folder:
            return ()
        start, end = (bisect_left(self._sorted, f"{folder}{mark}") for mark in ("/", "0"))
        near = (
            each for each in self._sorted[start : min(end, start + _MOST_PARTS)] if "/" not in each[len(folder) + 1 :]
        )
        return tuple(Part(each) for each in near if each.lower().endswith(DATA_ENDINGS))

    def _parts(self, path: str, text: str) -> Iterator[Part]:
        lower = path.lower()
        for command in _COMMANDS:
            if lower.endswith(command.endings):
                yield from self._by_command(command, path, text)
        if lower.endswith((".rst", *MARKDOWN_ENDINGS)):
            yield from self._by_directive(path, text)
            yield from self._all_objects(path, text)
        yield from self._by_shortcode(path, text)

    def _by_command(self, command: _Command, path: str, text: str) -> Iterator[Part]:
        searched = _without_listings(text) if command.is_shown else text
        for found in command.pattern.finditer(searched):
            groups = found.groupdict()
            file = self._file(groups["name"].strip(), path, command.folders)
            is_component = command.is_import and not groups["raw"]
            if file and not (is_component and not file.lower().endswith(_TEXT_OR_DATA)):
                yield Part(file, _region(groups.get("region") or ""))

    def _by_directive(self, path: str, text: str) -> Iterator[Part]:
        """What directives of Sphinx and MyST include (docutils, "Including an External Document Fragment")."""
        for kind, argument, lines in _DIRECTIVE.findall(text):
            options = dict(_OPTION.findall(lines))
            name = options.get("file", "") if kind == "csv-table" else argument.strip()
            if file := self._file(name, path, ("",)):
                yield Part(file, _region_of_options(options))

    def _all_objects(self, path: str, text: str) -> Iterator[Part]:
        """The docstrings that Sphinx (`autodoc`) and mkdocstrings put into a text, as far as they are found."""
        found = list(islice(self._objects(text, self._default_kind(path)), _MOST_PARTS))
        if not all(found) or _OTHER_CODE.search(text):
            self._lacking.add(path)
        yield from filter(None, found)

    def _default_kind(self, path: str) -> str:
        """What directives without options show: what Sphinx' configuration in a folder above a file says."""
        folder = posixpath.dirname(path)
        while folder and f"{folder}/conf.py" not in self._paths:
            folder = posixpath.dirname(folder)
        file = f"{folder}/conf.py".lstrip("/")
        if file not in self._known_defaults:
            text = self._read(file)[:MAX_BYTES].decode("utf-8", "replace") if file in self._paths else ""
            found = _DEFAULTS.search(text)
            self._known_defaults[file] = _kind(found[1] if found else "")
        return self._known_defaults[file]

    def _objects(self, text: str, default: str, module: str = "") -> Iterator[Part | None]:
        current = [(0, module), *((found.start(), found[1]) for found in _MODULE.finditer(text))]
        classes: list[tuple[int, str]] = []
        for found in _AUTO.finditer(text):
            _, within = current[max(0, bisect_left(current, (found.start(), "")) - 1)]
            indent, what, named, options = found.groups()
            kind = _kind(options) if "members:" in options else default
            classes = [each for each in classes if each[0] < len(indent)]
            name = f"{classes[-1][1]}.{named}" if classes else named  # nested in the directive of its class
            classes += [(len(indent), name)] if what in ("class", "exception") else []
            yield next(filter(None, (self._object(each, kind) for each in (name, f"{within}.{name}"))), None)
            yield from self._exported(name, kind) if kind != "object" else ()
        for name in _MKDOCSTRINGS.findall(text):
            yield self._object(name, "members")
            yield from self._exported(name, "members")

    def _exported(self, name: str, kind: str) -> Iterator[Part]:
        """The docstrings of what a module only passes on."""
        module, path, rest = self._module(name)
        if path and not rest:
            names = self._names_of(module, path)
            full = (names.imported[each] for each in names.listed if each in names.imported)
            yield from filter(None, (self._object(each, kind) for each in full))

    def _names_of(self, module: str, path: str) -> ModuleNames:
        if path not in self._names:
            self._names[path] = read_names(self._read(path)[:MAX_BYTES], module, path)
        return self._names[path]

    def _object(self, name: str, kind: str) -> Part | None:
        """The docstring of an object in the module that defines it, or those of all that is in it, by the kind."""
        for _ in range(_MOST_REEXPORTS):
            module, path, rest = self._module(name)
            if not path:
                return None
            first, dot, others = rest.partition(".")
            names = self._names_of(module, path)
            elsewhere = names.elsewhere(first) if first else ()
            known = [each for each in elsewhere if self._module(each)[1]]
            if not known:
                return None if first in names.imported else Part(path, f"{kind}:{rest}")
            name = f"{known[0]}{dot}{others}"
        return None

    def _module(self, name: str) -> tuple[str, str, str]:
        """The module that a dotted name begins with, its file, and the rest of the name."""
        parts = name.split(".")
        for count in range(len(parts), 0, -1):
            module = ".".join(parts[:count])
            if path := self._modules.get(module):
                return module, path, ".".join(parts[count:])
        return "", "", ""

    @cached_property
    def _modules(self) -> Mapping[str, str]:
        """The files of modules by their names in full: a package's folder is where no `__init__.py` is above."""
        found: dict[str, str] = {}
        for path in self._sorted:
            if is_module(path):
                parts = path.rpartition(".")[0].removesuffix("/__init__").split("/")
                start = len(parts) - 1
                while start and any(f"{'/'.join(parts[:start])}{file}" in self._paths for file in OF_PACKAGES):
                    start -= 1
                found.setdefault(".".join(parts[start:]), path)
        return found

    @cached_property
    def _module_names(self) -> Mapping[str, str]:
        return {path: name for name, path in self._modules.items()}

    def _by_shortcode(self, path: str, text: str) -> Iterator[Part]:
        """The files that shortcodes of Hugo name, data by their names, and entries of collections of Astro."""
        quoted = (name for code in _SHORTCODE.findall(text) for name in _QUOTED.findall(code))
        for name in quoted:
            if file := self._file(name, path, ("", "assets/", "static/", "content/")) or self._data(name, path):
                yield Part(file)
        for name in (*_DATA_BY_NAME.findall(text), *_LOOP.findall(text)):
            if file := self._data(name.replace(".", "/"), path):
                yield Part(file)
        for collection, entry in _COLLECTION.findall(text):
            names = (f"src/content/{collection}/{entry}{ending}" for ending in (".md", ".mdx", *DATA_ENDINGS))
            yield from (Part(file) for name in names if (file := self._file(name, path, ("",))))

    def _data(self, name: str, path: str) -> str:
        names = (name + ending for ending in DATA_ENDINGS)
        return next(filter(None, (self._file(each, path, ("data/", "_data/")) for each in names)), "")

    def _file(self, name: str, beside: str, folders: Collection[str]) -> str:
        """The tracked file that a name means: in the folder of the file that names it, or in the nearest one above."""
        if found := _ANTORA.fullmatch(name):
            return self._resource(found, beside)
        plain = re.sub(r"^(?:@site|@docs|@|~)?/", "", name).removeprefix("@")  # an alias is often named for its folder
        if not plain or len(name) > _LONGEST_NAME or "://" in name or set(name) & set("{}<>*$\0\\"):
            return ""
        folder = posixpath.dirname(beside)
        while True:
            candidates = (posixpath.normpath(posixpath.join(folder, each, plain)) for each in folders)
            if found_path := next((each for each in candidates if each in self._paths), ""):
                return found_path
            if not folder:
                return ""
            folder = posixpath.dirname(folder)

    def _resource(self, found: re.Match[str], beside: str) -> str:
        """The file of a resource of Antora, in the module that its ID names, or in that of the file that names it."""
        _, module, family, name = found.groups()
        root, _, below = f"/{beside}".partition("/modules/")
        path = posixpath.normpath(f"{root}/modules/{module or below.partition('/')[0]}/{family}s/{name}").lstrip("/")
        return path if path in self._paths else ""


def _without_listings(text: str) -> str:
    """A text in Markdown without its fenced code blocks; a directive of MyST is none (CommonMark, 4.5)."""
    kept, fence = list[str](), ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if fence:
            fence = "" if found and found[1].startswith(fence) and not found[2].strip() else fence
        elif found and not found[2].startswith("{"):
            fence = found[1]
        else:
            kept.append(line)
    return "\n".join(kept)


def _region(written: str) -> str:
    """The part of a file by what is written of it: AsciiDoc's tags and lines; an anchor, a section, or line numbers."""
    if tags := re.search(r"\btags?=\"?([^,\"\]]+)", written):
        return f"tag:{tags[1]}"
    if lines := re.search(r"\blines?=\"?([\d.;, -]+)", written):
        return f"lines:{lines[1].strip(', ').replace(';', ',')}"
    if numbers := _NUMBERS.fullmatch(written):
        first, between, last = numbers.groups()
        return f"lines:{first or 1}{'..' if between else ''}{last}"
    return f"tag:{written}" if re.fullmatch(r"[A-Za-z_-][\w-]*", written) else ""


def _region_of_options(options: Mapping[str, str]) -> str:
    """The part of a file by the options of `include` and `literalinclude`."""
    if "pyobject" in options:
        return f"code:{options['pyobject'].strip()}"
    if "lines" in options:
        return f"lines:{options['lines'].replace('-', '..')}"
    marks = [
        f"{name}={options[name].strip()}"
        for name in ("start-after", "start-at", "end-before", "end-at")
        if name in options
    ]
    return "\n".join(["marks:" + marks[0], *marks[1:]]) if marks else ""
