"""Makes the description of the Python package from README.md: links and pictures lead to GitHub.

The build backend calls it: `tool.hatch.metadata.hooks.custom` in pyproject.toml.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_REPOSITORY = "https://github.com/waypost/waypost"
_RELATIVE = re.compile(r"(?P<text>!?\[[^\]]*\])\((?!https?:|#)(?P<path>[^()\s]+)\)")


class PackageReadme(MetadataHookInterface):
    """Sets the field `readme` of the package's metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the text of README.md with absolute links."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": with_absolute_links(text)}


def with_absolute_links(text: str) -> str:
    """Replace relative links by the addresses of the files on GitHub; those of pictures by their content."""

    def absolute(found: re.Match[str]) -> str:
        kind = "raw" if found["text"].startswith("!") else "blob"
        return f"{found['text']}({_REPOSITORY}/{kind}/main/{found['path']})"

    return _RELATIVE.sub(absolute, text)
