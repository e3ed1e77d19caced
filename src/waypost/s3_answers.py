"""What S3 answers where a request fails, told from the client's errors."""

from botocore.exceptions import ClientError

MISSING = ("NoSuchKey", "404", "NotFound")
"""The codes of an object that is not there; a HEAD has no body, and so only a status."""


def code_of(error: Exception) -> str:
    """The code of S3's answer, or nothing where it did not answer."""
    return error.response.get("Error", {}).get("Code", "") if isinstance(error, ClientError) else ""
