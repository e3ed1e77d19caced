"""Stored ledgers, and what every later version must read in them.

`python tests/golden_ledgers.py` writes them again. That is only allowed until the first
release: from then on, every version must open every ledger that an earlier one has written.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from fake_stores import SimulatedSite
from run_harness import Execution

from waypost.core.model import IndexChild, NamedSource, UrlEntry, printable
from waypost.ledger.store import Ledger
from waypost.stores.filesystem import FolderStore
from waypost.sync import rebuild

GOLDEN = Path(__file__).parent / "golden" / "ledgers"
SITE_URI = "s3://site/"
VIDEO = (
    '<script type="application/ld+json">{"@type": "VideoObject", "name": "Pruning", "description": "How to prune", '
    '"thumbnailUrl": "/t.jpg", "contentUrl": "/v.mp4", "uploadDate": "2026-01-02", "duration": "PT90S"}</script>'
)
LANGUAGES = "<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de/>"
PAGES = {
    "index.html": f"<title>Home</title>{LANGUAGES}Hello",
    "de/index.html": f"<title>Start</title>{LANGUAGES}Hallo",
    "about.html": "<title>About</title><img src=/a.png>Text",
    "about.htm": "<title>About, too</title>Text",
    "blog/café & co.html": f"<title>Café</title>{VIDEO}Text",
    "blog/hidden.html": "<meta name=robots content=noindex>",
    "blog/news.html": '<title>News</title><meta property="article:published_time" content="2026-11-20">Text',
    "guide.pdf": "%PDF",
    "old.html": '<meta http-equiv=refresh content="0; url=/about.html">',
    **{f"pages/{n:02}.html": f"<title>Page {n}</title>Number {n}" for n in range(12)},
}
EVERYTHING: dict[str, Any] = {
    "urls": 4,
    "lastmod": "content",
    "state": "x",
    "alternates": True,
    "images": True,
    "videos": True,
    "news": {"name": "The Example Times", "language": "en"},
    "groups": {"blog": ["/blog/"]},
    "drop_html": True,
    "formats": ["xml", "html"],
}


def built() -> SimulatedSite:
    """A ledger with every kind of record, updated twice after its first build."""
    site = SimulatedSite(**EVERYTHING)
    for key, content in PAGES.items():
        site.put(key, content)
    rebuild.rebuild(site.updater())
    site.put("pages/03.html", "<title>Page 3</title>Changed")
    site.delete("pages/07.html")
    rebuild.update(site.updater(), ["pages/03.html", "pages/07.html"])
    return site


def building() -> SimulatedSite:
    """A ledger in the middle of a build under changed settings, which takes its dates from an archived manifest."""
    site = built()
    site.settings = SimulatedSite(**{**EVERYTHING, "groups": {}}).settings
    rebuild.rebuild(site.updater(), lambda: True)
    return site


def publishing() -> SimulatedSite:
    """A ledger whose shards many workers have committed and not published yet; one key was deferred."""
    site = built()
    execution = Execution("golden", site.updater, site.state)
    execution.run(until="scan")
    site.put("pages/05.html", "<title>Page 5</title>Changed")
    rebuild.update(site.updater(), ["pages/05.html"])
    execution.run(until="publish")
    return site


def with_urls() -> SimulatedSite:
    """A ledger that lists URLs without an object, and another tool's sitemap in its index."""
    site = built()
    site.settings = replace(site.settings, urls="urls.txt")
    versions = (("de", "https://example.org/de/"), ("en", "https://example.org/"))
    shop = UrlEntry(
        "https://example.org/shop/?a=1", "2026-01-02", "daily", "0.8", images=("https://example.org/a.png",)
    )
    home = UrlEntry("https://example.org/de", alternates=versions, where="urls.txt", line=2)
    child = IndexChild("https://example.org/blog.xml", "2026-01-03")
    site.named = [NamedSource("urls", [shop, home]), NamedSource("blog.xml (child)", child=child)]
    rebuild.rebuild(site.updater())
    return site


LEDGERS = {"v1-complete": built, "v1-building": building, "v1-publishing": publishing, "v1-urls": with_urls}


def contents(folder: Path) -> dict[str, Any]:
    """What a ledger in a folder contains, in a form that every version can compare."""
    ledger = Ledger(FolderStore(folder), SITE_URI)
    manifest = ledger.read().manifest
    found = [record for entry in manifest.entries for record in ledger.records(entry)]
    return {
        "state": str(manifest.state),
        "generation": manifest.generation,
        "built_at": manifest.built_at,
        "page_count": manifest.page_count,
        "files": {name: file.changed_at for name, file in sorted(manifest.files.items())},
        "pending": sorted(each.name for each in manifest.pending),
        "records": {
            printable(record.key): [record.etag, record.lastmod, record.duplicate_of, record.facts.text_digest]
            for record in sorted(found, key=lambda record: record.key)
        },
        "alternates": {record.key: record.alternates for record in found if record.alternates},
        "urls": msgspec.to_builtins(ledger.url_list(manifest)),
        "entries": {record.key: record.facts.entry.loc for record in found if record.facts.entry},
        "videos": [video.title for record in found if record.facts.media for video in record.facts.media.videos],
    }


def write_all() -> None:
    """Write all golden ledgers again."""
    shutil.rmtree(GOLDEN, ignore_errors=True)
    for name, make in LEDGERS.items():
        folder = GOLDEN / name
        store = FolderStore(folder / "ledger")
        for file, content in make().state.bodies().items():
            store.write(file, content)
        text = json.dumps(contents(folder / "ledger"), indent=1, ensure_ascii=False)
        (folder / "expected.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write_all()
