"""What the calls of one kind use of AWS; it is measured once and kept as JSON."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, json

_FILE = Path(__file__).parents[1] / "results" / "month.json"


class Usage(Struct, frozen=True, kw_only=True):
    """What one call uses.

    `seconds` are without a cold start. `requests` are S3's, by kind and bucket (`PUT state`), and `written` are bytes
    by bucket. `events` are those that the site's bucket sends because of published files. `log_lines` are the
    function's own.
    """

    seconds: float = 0.0
    requests: Mapping[str, int] = {}
    written: Mapping[str, int] = {}
    read: int = 0
    events: int = 0
    log_lines: int = 0
    log_bytes: int = 0
    metrics: tuple[str, ...] = ()


class MeasuredSite(Struct, frozen=True):
    """The calls of one site, or of one of its partitions, by their names; and the bytes of its sitemaps and state."""

    usages: Mapping[str, Usage]
    sitemap_bytes: int
    state_bytes: int


def read_results() -> Mapping[str, MeasuredSite]:
    """The measured sites by their names."""
    return json.decode(_FILE.read_bytes(), type=dict[str, MeasuredSite]) if _FILE.exists() else {}


def write_results(results: Mapping[str, MeasuredSite]) -> None:
    """Keep what was measured."""
    _FILE.write_bytes(json.format(json.encode(results), indent=1) + b"\n")
