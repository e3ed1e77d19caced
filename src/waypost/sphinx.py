"""The extension of Sphinx: `extensions = ["waypost.sphinx"]` writes the sitemap, with true dates, into the output."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

from waypost import __version__
from waypost.build.generated_site import write_sitemaps
from waypost.core.errors import WaypostError

_LOG = logging.getLogger(__name__)
_BUILDERS = ("html", "dirhtml", "readthedocs", "readthedocsdirhtml")
_LAST = 1_000
"""After all other extensions, which may write pages, or a sitemap."""
_CODE = (".py", ".pyi", ".pyx", ".ipynb")
"""Modules that autodoc reads: a page shows docstrings of them, which only their text can tell."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension, which keeps nothing of its own between documents."""
    app.connect("build-finished", _write, priority=_LAST)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _write(app: Sphinx, exception: Exception | None) -> None:
    """Write the sitemap of a build that succeeded; previews of Read the Docs get none."""
    is_preview = os.environ.get("READTHEDOCS_VERSION_TYPE") == "external"
    if exception or app.builder.name not in _BUILDERS or is_preview:
        return
    base_url = os.environ.get("READTHEDOCS_CANONICAL_URL") or app.config.html_baseurl
    sources = {_key(app, name): list(_sources(app, name)) for name in app.env.all_docs}
    try:
        said = write_sitemaps(
            Path(app.outdir),
            base_url,
            "html_baseurl",
            Path(app.confdir),
            sources,
            _LOG.warning,
            fetches_history="READTHEDOCS" in os.environ,
        )
    except WaypostError as error:
        raise ExtensionError(f"Waypost: {error}") from error
    if said:
        _LOG.info("Waypost: %s", said)


def _key(app: Sphinx, name: str) -> str:
    """The path of a document's page in the output."""
    return Path(os.path.relpath(app.builder.get_outfilename(name), app.outdir)).as_posix()


def _sources(app: Sphinx, name: str) -> Iterator[Path]:
    """The document, and the files that it includes; of all documents, as a page's events come only if it is written."""
    yield Path(app.env.doc2path(name))
    for path in sorted(map(str, app.env.dependencies.get(name, ()))):
        if not path.endswith(_CODE):
            yield Path(app.srcdir) / path
