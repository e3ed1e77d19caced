"""Names of a shard's files as the manifest stores them: with an asterisk in place of the shard's id."""


def short_name(name: str, shard_id: str | None) -> str:
    """The name to store; one that would not be restored is stored whole, after a slash."""
    short = name.replace(shard_id, "*") if shard_id else name
    return f"/{name}" if short.startswith("/") or _with_id(short, shard_id) != name else short


def full_name(short: str, shard_id: str | None) -> str:
    """The name that was stored."""
    return short[1:] if short.startswith("/") else _with_id(short, shard_id)


def _with_id(short: str, shard_id: str | None) -> str:
    return short.replace("*", shard_id) if shard_id else short
