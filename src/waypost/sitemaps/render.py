"""Shards into documents, with Jinja templates that people may override."""

import html
import traceback
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waypost.core.errors import RenderError
from waypost.core.hashing import content_digest
from waypost.core.model import IndexChild
from waypost.core.sitemap_rows import SitemapRows, escape_all

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

_BUILTIN_PREFIX = "templates/"
"""What the paths of Waypost's own templates begin with in an error."""
_UNPUBLISHED = ("report.html.j2", "summary.md.j2", "workflow.yml.j2")


class Renderer:
    """The templates: Waypost's own, and before them those of a user's folder.

    `overrides` maps names to a template's text and the path to name in an error.
    """

    def __init__(self, overrides: Mapping[str, tuple[str, str]] | None = None) -> None:
        self._overrides = overrides or {}

    @cached_property
    def _environment(self) -> "ImmutableSandboxedEnvironment":
        # Most events that wake a function render nothing, and it starts without Jinja.
        from jinja2 import BaseLoader, ChoiceLoader, FunctionLoader, StrictUndefined
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        loaders: list[BaseLoader] = [FunctionLoader(self._overriding), FunctionLoader(_builtin)]
        return ImmutableSandboxedEnvironment(
            loader=ChoiceLoader(loaders),
            autoescape=False,  # values come escaped: in bulk, which is many times faster
            undefined=StrictUndefined,
            keep_trailing_newline=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    @property
    def digest(self) -> str:
        """Of the texts of all templates that outputs may be rendered from."""
        own = {each.name: each.read_text(encoding="utf-8") for each in _templates().iterdir()}
        texts = own | {name: text for name, (text, _) in self._overrides.items()}
        published = sorted(each for each in texts.items() if each[0] not in _UNPUBLISHED)
        return content_digest(repr(published).encode())

    def uses_builtin(self, template: str) -> bool:
        """Whether a template of this name is Waypost's own, not a user's."""
        return template not in self._overrides

    def news(self, urls: SitemapRows, name: str, language: str, mark: str = "", stylesheet: str = "") -> bytes:
        """The XML of a news sitemap; `name` and `language` are the publication's (Google, "News sitemaps")."""
        values = {"name": html.escape(name), "language": html.escape(language)}
        return self.text("sitemap-news.xml.j2", urls=urls, mark=mark, stylesheet=stylesheet, **values)

    def stylesheet(self, mark: str = "") -> bytes:
        """The CSS by which browsers show the XML."""
        return self.text("sitemap.css.j2", mark=mark)

    def index(self, children: Sequence[IndexChild], mark: str = "", stylesheet: str = "") -> bytes:
        """The XML of a sitemap index."""
        locs = escape_all([child.loc for child in children])
        return self.text(
            "sitemap-index.xml.j2",
            sitemaps=[IndexChild(loc, child.lastmod) for loc, child in zip(locs, children, strict=True)],
            mark=mark,
            stylesheet=stylesheet,
        )

    def robots(self, urls: Sequence[str]) -> bytes:
        """The `Sitemap:` lines of robots.txt."""
        return self.text("robots.txt.j2", urls=urls)

    def text(self, name: str, /, **values: Any) -> bytes:
        """Render one template; raises RenderError with the template's file and line."""
        try:
            return self._environment.get_template(name).render(values).encode()
        except Exception as error:  # a template may raise whatever its filters raise
            raise RenderError(f"{self._place(name, error)}: {_sentence(error)}") from error

    def _overriding(self, name: str) -> tuple[str, str, None] | None:
        found = self._overrides.get(name)
        return (found[0], found[1], None) if found else None

    def _place(self, name: str, error: Exception) -> str:
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
    """Read a user's templates, those that only theirs include among them; raises RenderError.

    A link out of the folder is refused: what a template shows is published.
    """
    paths = sorted(folder.glob("*.j2"))
    outside = next((path for path in paths if not path.resolve().is_relative_to(folder.resolve())), None)
    if outside:
        raise RenderError(f"{outside}: the template is a link out of its folder")
    return {path.name: (_template_text(path), str(path)) for path in paths}


def _template_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RenderError(f"{path}: the template cannot be read: {error}") from error


def _builtin(name: str) -> tuple[str, str, None] | None:
    source = next((each for each in _templates().iterdir() if each.name == name), None)
    return (source.read_text(encoding="utf-8"), f"{_BUILTIN_PREFIX}{name}", None) if source else None


def _templates() -> Traversable:
    """The templates' folder: inside the installed package, or beside `src/` in a checkout."""
    installed = files("waypost").joinpath("templates")
    return installed if installed.is_dir() else Path(__file__).parents[3] / "templates"


def _sentence(error: Exception) -> str:
    from jinja2 import TemplateError

    if isinstance(error, TemplateError):
        return error.message or type(error).__name__
    return f"{type(error).__name__}: {error}"
