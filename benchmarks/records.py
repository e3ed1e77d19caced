"""Size, time and memory of the ledger's files: the records of 25,000 pages, and a manifest of 40,000 shards."""

import argparse
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import median
from unittest.mock import patch
from uuid import UUID

import msgspec
from measure import ROUNDS, Report, decision, say
from msgspec.structs import replace

from waypost.core.dates import format_unix_time
from waypost.ledger import manifest as manifests
from waypost.ledger import packed_json, records
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head
from waypost.rules.media import Media

_MOST_MEGABYTES = 2.5
_LEVELS = (1, 2, 3, 4, 5, 6, 9)
_BASE = "https://www.example.org/"
_LANGUAGES = ("en", "de", "fr", "es", "it", "ja", "pt-BR", "nl")
_WORDS = ("harbour", "lantern", "engine", "letter", "orchard", "bridge", "winter", "copper", "garden", "signal")


def main() -> None:
    """Measure each kind of pages in turn, then the levels of compression, then the manifest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=25_000)
    parser.add_argument("--shards", type=int, default=40_000)
    arguments = parser.parse_args()
    report = Report("records", "The ledger's files")
    _report_records(report, arguments.pages)
    _report_levels(report, arguments.pages)
    _report_manifest(report, arguments.shards)
    report.write()


def _page(n: int, rng: Random) -> Record:
    key, date = f"catalogue/item-{n:07}.html", format_unix_time(1_600_000_000 + rng.randrange(200_000_000))
    return Record(key, f'"{rng.randbytes(16).hex()}"', PageFacts(text_digest=rng.randbytes(8).hex()), date)


def _in_parts(n: int, rng: Random) -> Record:
    page = _page(n, rng)
    return replace(page, etag=f'"{page.etag[1:-1]}-3"')


def _with_canonical_link(n: int, rng: Random) -> Record:
    page = _page(n, rng)
    return replace(page, facts=replace(page.facts, head=Head(canonicals=(_BASE + page.key,))))


def _with_long_names(n: int, rng: Random) -> Record:
    page = _with_canonical_link(n, rng)
    key = f"blog/{2000 + n // 1_000}/{'-'.join(rng.choices(_WORDS, k=5))}-{n}.html"
    return replace(page, key=key, facts=replace(page.facts, head=Head(canonicals=(_BASE + key,))))


def _with_random_names(n: int, rng: Random) -> Record:
    page, name = _page(n, rng), UUID(int=(n << 112) + rng.getrandbits(112))
    head = Head(canonicals=(f"{_BASE}items/{name}/",))
    return replace(page, key=f"items/{name}/index.html", facts=replace(page.facts, head=head))


def _with_media(n: int, rng: Random) -> Record:
    page = _with_canonical_link(n, rng)
    images = (f"/images/item-{n:07}-front.jpg", f"/images/item-{n:07}-back.jpg")
    title = f"Item {n}: {' '.join(rng.choices(_WORDS, k=3))} | Shop"
    return replace(page, facts=replace(page.facts, media=Media(images, title=title)))


def _with_alternates(n: int, rng: Random) -> Record:
    page, path = _page(n, rng), f"item-{n // len(_LANGUAGES):07}.html"
    found = tuple((language, f"{_BASE}{language}/{path}") for language in _LANGUAGES)
    language = _LANGUAGES[n % len(_LANGUAGES)]
    facts = replace(page.facts, head=Head(alternates=found))
    return replace(page, key=f"{language}/{path}", facts=facts, alternates=found)


_KINDS: dict[str, Callable[[int, Random], Record]] = {
    "MD5 ETags, text digests, dates": _page,
    "… ETags of uploads in three parts": _in_parts,
    "… a canonical link": _with_canonical_link,
    "… a canonical link, names of five words": _with_long_names,
    "… a canonical link, names that are UUIDs": _with_random_names,
    "… a canonical link, a title, two images": _with_media,
    "… eight languages": _with_alternates,
}


def _records(make: Callable[[int, Random], Record], count: int) -> list[Record]:
    rng = Random(1)
    return [make(n, rng) for n in range(count)]


def _report_records(report: Report, count: int) -> None:
    report.text(
        f"{count:,} pages. *Together* is what is read and written when one of them changes; the target is "
        f"{_MOST_MEGABYTES} MB. Of each page, the 16 bytes of its ETag and the 8 of its digest are random, "
        f"{2 * 24 * count / 1e6:.1f} MB together, and so are the 14 of a UUID. MessagePack is given for "
        "comparison: the same records, not compressed. Times are "
        "processor time."
    )
    head = ["pages with", "MessagePack, MB", "together, MB", "target", "write, ms", "read, ms"]
    head += ["kept in memory, MB", "peak of reading, MB", "peak of writing, MB"]
    report.table(head, [_row(name, _records(make, count)) for name, make in _KINDS.items()])


def _row(name: str, known: Sequence[Record]) -> list[str]:
    say(name)
    data = records.dump(known)

    def read() -> list[Record]:
        return records.load(data, name)

    if read() != known:
        raise SystemExit("the records were not stored without loss")
    plain, both = len(msgspec.msgpack.encode(known)) / 1e6, 2 * len(data) / 1e6
    write_time = _milliseconds(lambda: records.dump(known))
    memory = (*_memory(read), _memory(lambda: records.dump(known))[1])
    sizes = [f"{plain:.2f}", f"{both:.2f}", decision(both, _MOST_MEGABYTES)]
    return [name, *sizes, *(f"{each:.0f}" for each in (write_time, _milliseconds(read), *memory))]


def _report_levels(report: Report, count: int) -> None:
    rows = []
    made = [_records(make, count) for make in (_page, _with_media, _with_alternates)]
    for level in _LEVELS:
        say(f"level {level}")
        row: list[object] = [level]
        with patch.object(packed_json, "_LEVEL", level):
            for known in made:
                row += [f"{len(records.dump(known)) / 1e6:.3f}", f"{_milliseconds(partial(records.dump, known)):.0f}"]
        rows.append(row)
    report.text("The level of zlib: pages with digests alone, with media, and in eight languages.")
    report.table(["level", "MB", "write, ms", "media, MB", "write, ms", "languages, MB", "write, ms"], rows)


def _report_manifest(report: Report, count: int) -> None:
    say("manifest")
    report.text(f"The manifest of {count:,} shards of one sitemap each; JSON is given for comparison.")
    head = ["files with", "indented JSON, MB", "JSON, MB", "file, MB", "write, ms", "read, ms"]
    rows = [_manifest_row("digests, dates", _manifest(count, has_etags=False))]
    report.table(head, [*rows, _manifest_row("… ETags", _manifest(count, has_etags=True))])


def _manifest_row(name: str, manifest: Manifest) -> list[str]:
    data, plain = manifests.dump(manifest), msgspec.json.encode(manifest)
    dump, load = _milliseconds(lambda: manifests.dump(manifest)), _milliseconds(lambda: manifests.load(data, ""))
    sizes = (len(each) / 1e6 for each in (msgspec.json.format(plain, indent=1), plain, data))
    return [name, *(f"{size:.1f}" for size in sizes), f"{dump:.0f}", f"{load:.0f}"]


def _manifest(count: int, *, has_etags: bool) -> Manifest:
    rng = Random(1)
    entries = []
    for n in range(count):
        shard_id, key = rng.randbytes(8).hex(), f"catalogue/item-{n * 25_000 + rng.randrange(25_000):010}.html"
        changed_at = format_unix_time(1_790_000_000 + rng.randrange(10_000_000))
        etag = f'"{rng.randbytes(16).hex()}"' if has_etags else ""
        file = PublishedFile(f"sitemap-{shard_id}.xml", rng.randbytes(16).hex(), changed_at, etag)
        name = f"shards/{shard_id}-{rng.randbytes(8).hex()}-{rng.randbytes(8).hex()}"
        entries.append(ShardEntry("", shard_id, key, rng.randrange(50_000), name, (file,)))
    return Manifest(site_uri="s3://site/", entries=tuple(entries))


def _milliseconds(work: Callable[[], object]) -> float:
    """The processor time, which depends less on other programs than the time does."""
    return median(_processor_seconds(work) for _ in range(ROUNDS)) * 1_000


def _processor_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _memory(work: Callable[[], object]) -> tuple[float, float]:
    """The megabytes that a result keeps, and the most that were in use while it was made."""
    tracemalloc.start()
    result = work()
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del result
    return kept / 1e6, peak / 1e6


if __name__ == "__main__":
    main()
