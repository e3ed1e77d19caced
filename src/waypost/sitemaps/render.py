"""Renders the templates: Waypost's own, and a user's templates in their place."""

import html
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from waypost.core import tree_files
from waypost.core.errors import RenderError
from waypost.core.hashing import content_digest
from waypost.core.inert_text import inert_markdown
from waypost.core.model import IndexChild
from waypost.core.sitemap_rows import SitemapRows, escape_all
from waypost.settings.output_names import MARK, with_mark

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Environment

E = TypeVar("E", bound="Environment")

_BUILTIN_PREFIX = "templates/"
"""The beginning of the paths of Waypost's own templates in errors."""
_UNPUBLISHED = ("summary.md.j2", "workflow.yml.j2", "workflow-pages.yml.j2")
_REPORT_PREFIX = "report"
"""The names of the templates of the report begin with this; it is not published."""


class Renderer:
    """Renders templates; templates in a user's folder replace Waypost's own of the same names.

    `overrides` maps the name of each to its text and its path, which errors show.
    """

    def __init__(self, overrides: Mapping[str, tuple[str, str]] | None = None) -> None:
        self._overrides = overrides or {}

    @cached_property
    def _render(self) -> Callable[[str, dict[str, Any]], str]:
        """Renders a template by its name with values; with a user's templates, within bounds."""
        # Most calls of the Lambda function render nothing, and start faster without Jinja.
        if not self._overrides:
            return _render_builtin()
        from jinja2 import ChoiceLoader, FunctionLoader

        from waypost.sitemaps.bounded_templates import BoundedEnvironment

        loader = ChoiceLoader([FunctionLoader(self._override), FunctionLoader(_builtin)])
        return _environment(BoundedEnvironment, loader).bounded_text

    @property
    def digest(self) -> str:
        """A digest of the texts of all templates that render published files."""
        builtin = {each.name: each.read_text(encoding="utf-8") for each in _templates().iterdir()}
        texts = builtin | {name: text for name, (text, _) in self._overrides.items()}
        published = sorted(
            each for each in texts.items() if each[0] not in _UNPUBLISHED and not each[0].startswith(_REPORT_PREFIX)
        )
        return content_digest(repr(published).encode())

    def unused_overrides(self) -> list[str]:
        """The user's templates that replace none of Waypost's own, and that no other template names."""
        if not self._overrides:
            return []
        builtin = {each.name for each in _templates().iterdir()}
        return [
            name
            for name in self._overrides
            if name not in builtin
            and not any(name in text for other, (text, _) in self._overrides.items() if other != name)
        ]

    def uses_builtin(self, template: str) -> bool:
        """Whether a template of this name is Waypost's own, not a user's."""
        return template not in self._overrides

    def news(self, urls: SitemapRows, name: str, language: str, stylesheet: str) -> bytes:
        """The XML of a news sitemap; `name` and `language` are the publication's (Google, "News sitemaps")."""
        values = {"name": html.escape(name), "language": html.escape(language)}
        return self.marked("sitemap-news.xml.j2", urls=urls, stylesheet=stylesheet, **values)

    def stylesheet(self) -> bytes:
        """The CSS with which browsers show the XML; raises RenderError without the mark, which must be in a comment."""
        body = self.text("sitemap.css.j2", mark=MARK)
        if MARK.encode() not in body:
            raise RenderError("sitemap.css.j2 leaves the mark out; put {{ mark }} into a comment of its own")
        return body

    def index(self, children: Sequence[IndexChild], stylesheet: str) -> bytes:
        """The XML of a sitemap index."""
        locs = escape_all([child.loc for child in children])
        sitemaps = [IndexChild(loc, child.lastmod) for loc, child in zip(locs, children, strict=True)]
        return self.marked("sitemap-index.xml.j2", sitemaps=sitemaps, stylesheet=stylesheet)

    def robots(self, urls: Sequence[str]) -> bytes:
        """The `Sitemap:` lines of robots.txt."""
        return self.text("robots.txt.j2", urls=urls)

    def marked(self, name: str, /, **values: Any) -> bytes:
        """Render one template, and have Waypost's mark in the text; raises RenderError."""
        return with_mark(self.text(name, mark=MARK, **values))

    def text(self, name: str, /, **values: Any) -> bytes:
        """Render one template; raises RenderError with the template's file and line."""
        try:
            return self._render(name, values).encode()
        except Exception as error:  # a template may raise whatever its filters raise
            raise RenderError(f"{self._location(name, error)}: {_sentence(error)}") from error

    def _override(self, name: str) -> tuple[str, str, None] | None:
        override = self._overrides.get(name)
        return (override[0], override[1], None) if override else None

    def _location(self, name: str, error: Exception) -> str:
        from jinja2 import TemplateSyntaxError

        path = self._overrides[name][1] if name in self._overrides else f"{_BUILTIN_PREFIX}{name}"
        if isinstance(error, TemplateSyntaxError):
            return f"{error.filename or path}:{error.lineno}"
        paths = {path for _, path in self._overrides.values()}
        frames = [
            f
            for f in traceback.extract_tb(error.__traceback__)
            if f.filename in paths or f.filename.startswith(_BUILTIN_PREFIX)
        ]
        return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else path


def overriding_templates(folder: Path) -> dict[str, tuple[str, str]]:
    """Read all templates of a user's folder; raises RenderError.

    Of links, only those to other templates of the folder are followed, because what a template renders is published.
    """
    return {path.name: (_template_text(path, folder), str(path)) for path in sorted(folder.glob("*.j2"))}


def _template_text(path: Path, folder: Path) -> str:
    try:
        if tree_files.real_path(path, folder).suffix != path.suffix:
            raise RenderError(f"{path}: the template is a link to a file that is no template")
        return tree_files.read(path, folder, most=tree_files.SMALL_FILE).decode()
    except OSError as error:
        raise RenderError(f"{path}: the template cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RenderError(f"{path}: the template cannot be read: {error}") from error


@cache
def _render_builtin() -> Callable[[str, dict[str, Any]], str]:
    """What renders Waypost's own templates: each is compiled once in a process."""
    from jinja2 import FunctionLoader
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = _environment(ImmutableSandboxedEnvironment, FunctionLoader(_builtin))
    return lambda name, values: environment.get_template(name).render(values)


def _environment(kind: "type[E]", loader: "BaseLoader") -> "E":
    """An environment with the options and filters of all templates."""
    from jinja2 import StrictUndefined

    environment = kind(
        loader=loader,
        autoescape=False,  # values are escaped beforehand, all at once, which is many times faster
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["inert_markdown"] = inert_markdown
    return environment


def _builtin(name: str) -> tuple[str, str, None] | None:
    source = next((each for each in _templates().iterdir() if each.name == name), None)
    return (source.read_text(encoding="utf-8"), f"{_BUILTIN_PREFIX}{name}", None) if source else None


def _templates() -> Traversable:
    """The folder of the templates: inside the installed package, or next to `src/` in a checkout."""
    installed = files("waypost").joinpath("templates")
    return installed if installed.is_dir() else Path(__file__).parents[3] / "templates"


def _sentence(error: Exception) -> str:
    from jinja2 import TemplateError

    if isinstance(error, TemplateError):
        return error.message or type(error).__name__
    return f"{type(error).__name__}: {error}"
