"""`waypost init`: example settings and a workflow."""

from pathlib import Path

import click

from waypost.cli import scaffold
from waypost.cli.exits import errors
from waypost.cli.terminal import say
from waypost.core import urls
from waypost.core.errors import StoreError
from waypost.sources import git


@click.command(short_help="Write example settings and a workflow.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=".")
@click.option("--base-url", metavar="URL", help="The URL of the site's root folder. [default: from a CNAME file]")
def init(folder: Path, base_url: str | None) -> None:
    """Write a commented waypost.toml and an example workflow to FOLDER; existing files are not overwritten."""
    with errors():
        base = _checked_base(base_url) or _base_from_cname(folder)
        root = git.repository_root(folder) if folder.is_dir() else None
        source = folder.resolve().relative_to(root.resolve()).as_posix() if root else "."
        is_new = _write_new(folder / scaffold.SETTINGS_FILE, scaffold.settings_file(base))
        branch = git.branch(folder) if root else "main"
        _write_new((root or folder) / scaffold.WORKFLOW, scaffold.workflow(branch, source))
        if base is None and is_new:
            say(f"next: set base_url in {folder / scaffold.SETTINGS_FILE}")


def _write_new(target: Path, content: bytes) -> bool:
    """Write a file unless it exists; returns whether it was written. Raises StoreError."""
    if target.exists():
        say(f"unchanged: {target} exists already", "yellow")
        return False
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror}") from error
    say(f"written: {target}", "green")
    return True


def _checked_base(base_url: str | None) -> str | None:
    try:
        return urls.normalize_base_url(base_url) if base_url else None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--base-url") from None


def _base_from_cname(folder: Path) -> str | None:
    """The base URL of a site on GitHub Pages with a domain of its own, which a file with this name holds."""
    try:
        return urls.normalize_base_url(f"https://{(folder / 'CNAME').read_text(encoding='utf-8').strip()}")
    except (OSError, ValueError):
        return None
