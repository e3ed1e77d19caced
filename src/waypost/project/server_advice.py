"""Says how the sitemaps of a site are made whose build leaves a server beside its files."""

import posixpath
import shlex
from collections.abc import Iterator
from typing import NamedTuple

from waypost.core import tree_files
from waypost.project.generator import Generator, generators
from waypost.project.project_folder import ProjectFolder
from waypost.project.site_folder import SiteFolder, has_pages

_ROUTES = "for pages that the server renders for each visitor, let a script print the URLs, one a line:"


class ServerAdvice(NamedTuple):
    """What lists the pages of a site with a server: the site, its folder as the user types it, and the base URL.

    The base URL is empty if the settings have it.
    """

    site: SiteFolder
    place: str
    options: str = " --base-url URL"

    @property
    def hook(self) -> str:
        """The lines for the framework's configuration that write the sitemaps during the build; empty without need."""
        return self._generator.hook.replace(" --base-url {base_url}", self.options).strip("\n")

    @property
    def needs_options(self) -> bool:
        """Whether the folder that a build finds itself is not enough, or it would come too late."""
        return bool(self._generator.rendered_output or self._generator.hook)

    @property
    def hook_file(self) -> str:
        """The configuration of the framework for these lines."""
        generator, names = self._generator, sorted(tree_files.names(self.site.folder))
        found = (name for stem in generator.hook_files for name in names if name.startswith(f"{stem}."))
        file = self.site.kind.file
        return next(found, "its configuration" if posixpath.basename(file) == "package.json" else file)

    def command(self, every: str = "", *, last: str = "", before: str = "") -> str:
        """The commands that list the pages which the build has rendered, after it.

        `every` are options of each, `last` those of the last one, and `before` is what comes before that.
        """
        given, output = f"{self.options}{every}", self._generator.rendered_output
        more = f" --output {self._path(output)}" if output else ""
        rendered = self._generator.rendered_folders(ProjectFolder(self.site.folder), self.site.kind.file)
        first, *others = rendered or [self.site.kind.output]
        copies = {path: self._path(f"{path}-sitemap") for path in others}
        lists = [f"waypost build {self._path(path)} --output {copy}{given}" for path, copy in copies.items()]
        named = ", ".join(f'"{copy}/sitemap.xml"' for copy in copies.values())
        more += f" --set 'sitemaps=[{named}]'" if others else ""
        return " && ".join([*lists, f"{before}waypost build {self._path(first)}{more}{given}{last}"])

    def routes(self) -> str:
        """How pages are listed that are no files."""
        if self.hook:
            return f"{_ROUTES} `node list-routes.js | waypost build … --set urls=-` in the place of `waypost build …`"
        return f"{_ROUTES} `{self.command(' --fetch-history', last=' --set urls=-', before='node list-routes.js | ')}`"

    def refusal(self) -> Iterator[str]:
        """The message that nothing can be listed yet, or without options: a line each."""
        kind, is_built = self.site.kind, self.site.output.is_dir()
        build = self.site.declared_command or kind.command
        yield f"{self.place} is a site of {kind.generator} with a server ({kind.file}), so nothing was written"
        if self.hook:
            yield f"its server answers with the files that are there when it is built; write in {self.hook_file}:"
            yield from (f"  {line}" for line in self.hook.splitlines())
            yield f"then build the site: `{build}`"
        elif not is_built:
            yield f"build the site first: `{build}`"
            yield f"then list the pages that it has rendered: `{self.command()}`"
        elif has_pages(self.site.output):
            yield f"list the pages that the build has rendered: `{self.command()}`"
        yield self.routes()

    @property
    def _generator(self) -> Generator:
        return next(each for each in generators() if each.name == self.site.kind.generator)

    def _path(self, path: str) -> str:
        return shlex.quote(posixpath.normpath(posixpath.join(self.place, path)))
