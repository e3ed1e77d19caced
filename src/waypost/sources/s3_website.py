"""What a bucket's website configuration says, for the settings to be compared with."""

from typing import TYPE_CHECKING, NamedTuple

from botocore.exceptions import BotoCoreError, ClientError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


class BucketWebsite(NamedTuple):
    """The index document and the key of the error document, and the host to which all requests are redirected.

    What is not configured is `""`.
    """

    index_document: str = ""
    error_document: str = ""
    redirects_to: str = ""


def read_website(client: "S3Client", bucket: str) -> BucketWebsite:
    """The configuration (GetBucketWebsite); an empty one where there is none, or it may not be read."""
    try:
        found = client.get_bucket_website(Bucket=bucket)
    except (ClientError, BotoCoreError):
        return BucketWebsite()
    return BucketWebsite(
        found.get("IndexDocument", {}).get("Suffix", ""),
        found.get("ErrorDocument", {}).get("Key", ""),
        found.get("RedirectAllRequestsTo", {}).get("HostName", ""),
    )
