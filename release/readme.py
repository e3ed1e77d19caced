"""Makes the description of the Python package from README.md, and the package's links, for its repository on GitHub.

The build backend calls it: `tool.hatch.metadata.hooks.custom` in pyproject.toml.
"""

import re
import runpy
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = re.compile(r"(?P<text>!?\[[^\]]*\])\((?!https?:|#)(?P<path>[^()\s]+)\)")


class PackageReadme(MetadataHookInterface):
    """Sets the fields `readme` and `urls` of the package's metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the text of README.md; if the repository has a name, with absolute links, and links to its pages."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        repository = runpy.run_path(str(Path(self.root) / "src" / "waypost" / "__init__.py"))["REPOSITORY"]
        if repository:
            text = with_absolute_links(text, repository)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = links(repository) if repository else {}


def links(repository: str) -> dict[str, str]:
    """The links that a registry shows beside the package."""
    source = f"https://github.com/{repository}"
    return {"Source": source, "Changelog": f"{source}/blob/main/CHANGELOG.md", "Issues": f"{source}/issues"}


def with_absolute_links(text: str, repository: str) -> str:
    """Replace relative links by the addresses of the files on GitHub; those of pictures by their content."""

    def absolute(found: re.Match[str]) -> str:
        kind = "raw" if found["text"].startswith("!") else "blob"
        return f"{found['text']}(https://github.com/{repository}/{kind}/main/{found['path']})"

    return _RELATIVE.sub(absolute, text)
