"""The plugin of MkDocs: `plugins: [waypost]` writes the sitemap, with true dates, in place of the one of MkDocs."""

import logging
from pathlib import Path
from typing import Any

from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import Files

from waypost.build.generated_site import write_sitemaps
from waypost.core.errors import WaypostError

_LOG = logging.getLogger("mkdocs.plugins.waypost")
"""Below the logger of MkDocs, so that `--strict` counts warnings."""
_LAST = -100
"""After all other plugins, which may write pages (MkDocs, "Event priorities")."""


class _NoOptions(Config):  # type: ignore[no-untyped-call]
    """The plugin has no options of its own: its settings are those of Waypost."""


class WaypostPlugin(BasePlugin[_NoOptions]):  # type: ignore[no-untyped-call]
    """Writes the sitemap when the site is built; what each page is made of is what MkDocs says."""

    def __init__(self) -> None:
        self._files = Files([])
        self._is_served = False

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Note whether the site is only served here."""
        del dirty
        self._is_served = command == "serve"

    @event_priority(_LAST)
    def on_env(self, env: Any, *, config: MkDocsConfig, files: Files) -> None:
        """Keep the files of the site, to which no plugin adds any more."""
        del env, config
        self._files = files

    @event_priority(_LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the sitemap; `mkdocs serve --clean` reports that it builds, so the site's URL is looked at, too."""
        if self._is_served:
            return
        pages = [file for file in self._files.documentation_pages() if file.abs_src_path]
        sources = {file.dest_uri: [Path(str(file.abs_src_path))] for file in pages}
        project = Path(config.config_file_path or ".").resolve().parent
        try:
            said = write_sitemaps(
                Path(config.site_dir), config.site_url or "", "site_url", project, sources, _LOG.warning
            )
        except WaypostError as error:
            raise PluginError(f"Waypost: {error}") from error
        if said:
            _LOG.info("Waypost: %s", said)
