"""How content is told from other content, wherever it is remembered."""

from hashlib import blake2b


def content_digest(content: bytes) -> str:
    """BLAKE2b of the bytes, 128 bits in hexadecimal."""
    return blake2b(content, digest_size=16).hexdigest()
