"""A site of about 120 pages, as a generator would write it: sections, drafts, a redirect, assets and settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BASE_URL = "https://www.example.org/"
SETTINGS = 'robots_sitemaps = true\n\n[groups]\nblog = ["/blog/"]\nproducts = ["/products/"]\n'
ROBOTS = "User-agent: *\nDisallow: /cart/\n"
_MENU = "".join(f'<li><a href="/{name}/">{name.title()}</a></li>' for name in ("blog", "docs", "products"))
_WORDS = ("garden", "rose", "soil", "water", "spring", "seed", "plant", "light", "shade", "leaf", "bloom", "harvest")


def page(title: str, *, head: str = "", text: str = "") -> str:
    """A page with a menu, and a text of its own."""
    body = text or " ".join(_WORDS[(len(title) * 7 + n * n) % len(_WORDS)] for n in range(80))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}'
        f'<link rel="stylesheet" href="/assets/site.css"></head><body><nav><ul>{_MENU}</ul></nav>'
        f"<main><h1>{title}</h1><p>{body}</p></main></body></html>\n"
    )


def files() -> dict[str, str]:
    """All files of the site by key."""
    posts = {f"blog/2026/{n // 4 + 1:02}/post-{n:02}/index.html": page(f"Post {n}") for n in range(44)}
    guides = {f"docs/chapter-{n // 10}/part-{n:02}.html": page(f"Part {n}") for n in range(40)}
    products = {f"products/item-{n:02}.html": page(f"Item {n}") for n in range(30)}
    lists = {f"{name}index.html": page(name or "Home") for name in ("", "blog/", "docs/", "products/")}
    other = {"about.html": page("About"), "contact.html": page("Contact")}
    left_out = {
        "404.html": page("Not found"),
        "docs/draft.html": page("Draft", head='<meta name="robots" content="noindex">'),
        "old.html": '<meta http-equiv="refresh" content="0; url=/about.html">',
        "cart/index.html": page("Cart"),
        "assets/site.css": "body { margin: 2em }\n",
        "feed.xml": "<rss/>\n",
    }
    return posts | guides | products | lists | other | left_out | {"robots.txt": ROBOTS, "waypost.toml": SETTINGS}


def write(folder: Path) -> Path:
    """Write the site to a folder, and return that."""
    for key, content in files().items():
        path = folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder
