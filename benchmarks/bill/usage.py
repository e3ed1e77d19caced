"""What the calls of one kind use of AWS; it is measured once and kept as JSON."""

from collections.abc import Mapping

from msgspec import Struct


class Usage(Struct, frozen=True, kw_only=True):
    """What one call uses, or all calls of a distributed rebuild together.

    `seconds` are those of all `calls`, without cold starts. `requests` are S3's, by kind and bucket (`PUT state`).
    `written` are bytes by what they are: `sitemaps`, `records`, `manifest` and `other` files of the ledger. `events`
    are those that the bucket sends because of published files; `messages` are received from the queue, and
    `queue_requests` are sent to it by the function itself. `log_lines` are the function's own.
    """

    seconds: float
    requests: Mapping[str, float]
    written: Mapping[str, int]
    events: int = 0
    messages: int = 0
    queue_requests: int = 0
    log_lines: int = 0
    log_bytes: int = 0
    metrics: tuple[str, ...] = ()
    calls: int = 1
    transitions: int = 0


class MeasuredSite(Struct, frozen=True):
    """The measured calls of one site by their names, and the bytes that its sitemaps and its ledger occupy."""

    usages: Mapping[str, Usage]
    sitemap_bytes: int
    ledger_bytes: int
