"""The digest that identifies content."""

from hashlib import blake2b


def content_digest(content: bytes) -> str:
    """The 128-bit BLAKE2b digest of the bytes, in hexadecimal."""
    return blake2b(content, digest_size=16).hexdigest()
