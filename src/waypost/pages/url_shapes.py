"""The paths at which servers answer a file, and the shape of URL that the settings require.

Servers answer `x.html` at `x.html`, `x`, `x/` and `x/index.html`, and the index file of a folder at `d/`, `d` and
`d/index.html`. Which of these a site uses is the site's choice, and which of them a host answers is in the table of
hosts, with its source: `settings/hosts.toml`.
"""

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from waypost.core.model import OPEN_SHAPES, LinkedShapes, UrlDecision, UrlForm, UrlShape, printable
from waypost.settings.schema import Site
from waypost.settings.values import PAGE_TYPES

PageKind = Literal["home", "folder", "page"]
"""What an HTML file is at: the site's root, a folder, or neither; each kind has a shape of its own in `UrlForm`."""

_MAX_CHANGES = 3
_USUAL_PAGE: Sequence[UrlShape] = ("file", "bare", "slash")
_USUAL_FOLDER: Sequence[UrlShape] = ("slash", "bare", "file")
"""The shapes in the order in which they are usual."""
KINDS: tuple[PageKind, ...] = ("home", "folder", "page")
INDEX_NAMES = ("index.html", "index.htm")
"""The names at which servers look for the index file of a folder, whatever the settings say."""
_MARKDOWN = re.compile("(" + "|".join(map(re.escape, PAGE_TYPES["markdown"])) + r")$", re.IGNORECASE)
_HTML_ENDINGS = (".html", ".htm")


class ServedPaths(Struct, frozen=True, gc=False):
    """The paths below the site's root, not yet encoded, at which servers answer one file.

    `slash`, `bare` and `file` are the URL shapes; a file of which the URL has only one shape has it in all three, and
    no `kind`. `others` are further paths.
    """

    kind: PageKind | None
    slash: str
    bare: str
    file: str
    others: tuple[str, ...] = ()

    def of(self, shape: UrlShape) -> str:
        """The path of a shape."""
        return self.slash if shape == "slash" else self.bare if shape == "bare" else self.file


def served_paths(key: str, site: Site) -> ServedPaths:
    """All paths at which servers answer the file with this key."""
    folder, slash, name = key.rpartition("/")
    if name in site.index_files:
        shown = name if name.endswith((".html", ".htm")) else "index.html"
        kind: PageKind = "folder" if folder else "home"
        return ServedPaths(kind, folder + slash, folder, folder + slash + shown)
    path = key if name.endswith(".html") else _MARKDOWN.sub(".html", key)
    if name.lower() in INDEX_NAMES:
        return ServedPaths(None, path, path, path, (folder + slash, folder))
    stem = _without_html(path)
    if stem == path or _without_html(stem) != stem:  # without its ending, `a.html.html` would have another file's URL
        return ServedPaths(None, path, path, path)
    return ServedPaths("page", f"{stem}/", stem, path, (f"{stem}/index.html",))


def _without_html(path: str) -> str:
    """A path without the ending of an HTML file, unless nothing of the name, or only dots before it, are left."""
    lower = path.lower()
    if not lower.endswith(_HTML_ENDINGS):
        return path
    stem = path[:-5] if lower.endswith("l") else path[:-4]
    return stem if stem.rpartition("/")[2].strip(".") else path


def required_shape(kind: PageKind | None, site: Site) -> UrlShape | None:
    """The shape that the settings give to URLs of this kind, or None if they leave it open."""
    if kind == "page" and site.drop_html is not None:
        if not site.drop_html:
            return "file"
        return "slash" if site.trailing_slash == "always" else "bare"
    if kind in ("home", "folder") and site.trailing_slash is not None:
        return "bare" if site.trailing_slash == "never" else "slash"
    return None


def linked_shape(kind: PageKind, shapes: LinkedShapes) -> UrlShape | None:
    """The shape that links use for this kind, or None if they do not decide."""
    return shapes.home if kind == "home" else shapes.folder if kind == "folder" else shapes.page


def usual_shape(kind: PageKind, shapes: LinkedShapes) -> UrlShape:
    """The shape that links use for this kind, or else `/`, `/docs/` and `/about.html`."""
    return linked_shape(kind, shapes) or ("file" if kind == "page" else "slash")


def answered_shapes(kind: PageKind, site: Site) -> Sequence[UrlShape]:
    """The shapes at which the site's host answers files of this kind; a home page has two, as the host's root."""
    rules = site.host_rules
    found = rules.shapes
    if kind == "page":
        return [shape for shape in found.page if not (rules.is_certain and shape in rules.missing)]
    return found.folder if kind == "folder" else ("slash", "file") if "file" in found.folder else ("slash",)


def shape_of(path: str, paths: ServedPaths) -> UrlShape | None:
    """The shape that a path of a file has; None if it has none of the three."""
    shapes: tuple[tuple[UrlShape, str], ...] = (("slash", paths.slash), ("bare", paths.bare), ("file", paths.file))
    return next((shape for shape, of_shape in shapes if of_shape == path), None)


def decided_shape(kind: PageKind, key: str, site: Site) -> tuple[UrlShape, UrlDecision]:
    """The shape of a URL that neither a setting nor the page decides, and what does: a form that the host answers."""
    answered = answered_shapes(kind, site)
    if len(answered) == 1:
        return answered[0], "host"
    of_folder = site.url_form.of(key)
    named: Sequence[tuple[LinkedShapes, UrlDecision]] = (
        (of_folder if of_folder is not site.url_form else OPEN_SHAPES, "links"),
        (site.sitemap_form, "sitemap"),
        (site.url_form, "links"),
    )
    for shapes, decision in named:
        shape = linked_shape(kind, shapes)
        if shape and shape in answered:
            return shape, decision
    usual = _USUAL_PAGE if kind == "page" else _USUAL_FOLDER
    return next(shape for shape in usual if shape in answered), "default"


def form_changes(before: UrlForm, after: UrlForm) -> list[str]:
    """What differs between two forms, in examples: of the site, and of each folder that has or had its own."""
    folders = sorted({folder for form in (before, after) for folder, _ in form.folders})
    examples = {folder: [_examples(form.of(folder)) for form in (before, after)] for folder in ["", *folders]}
    return [
        f"{f'below {printable(folder)}: ' if folder else ''}{old} became {new}"
        for folder, (old, new) in examples.items()
        if old != new
    ]


def form_change(before: UrlForm, after: UrlForm) -> str:
    """The first of what differs between two forms, in one line; `""` if nothing does."""
    return "; ".join(form_changes(before, after)[:_MAX_CHANGES])


def _examples(shapes: LinkedShapes) -> str:
    """The home page, a folder and a page."""
    return " ".join(example(kind, usual_shape(kind, shapes)) for kind in KINDS)


def example(kind: PageKind, shape: UrlShape) -> str:
    """A path of this kind and shape."""
    if kind == "home":
        return "/index.html" if shape == "file" else "/"
    endings = {"slash": "/", "bare": "", "file": ".html" if kind == "page" else "/index.html"}
    return f"/{kind}{endings[shape]}"


def stem_of(path: str) -> str:
    """What all paths have in common at which servers answer one file: `x` for `x.html`, `x/` and `x/index.html`."""
    folder, slash, name = path.rpartition("/")
    if name.lower() in (*INDEX_NAMES, ""):
        return folder
    return folder + slash + _without_html(name if name.endswith(".html") else _MARKDOWN.sub(".html", name))
