"""Removes published files from the caches of a CloudFront distribution."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from botocore.exceptions import BotoCoreError, ClientError

from waypost.announce.base import PublishResult
from waypost.core.errors import AnnounceError, TryLaterError

if TYPE_CHECKING:
    from mypy_boto3_cloudfront import CloudFrontClient
    from mypy_boto3_cloudfront.type_defs import InvalidationBatchTypeDef

_MOST_PATHS = 15
"""Above so many paths, a wildcard is used: CloudFront bills each path, and a wildcard as one."""
_BUSY = frozenset({"Throttling", "ThrottlingException", "TooManyInvalidationsInProgress", "ServiceUnavailable"})
_RETRY_AFTER = 300.0
_SERVER_ERROR = 500


class CloudFront:
    """Invalidates the published files of one site; `output_name` is what the names of most of them begin with.

    `client` makes a client when it is needed.
    """

    name = "cloudfront"
    wants_files, wants_urls = True, False

    def __init__(self, client: Callable[[], "CloudFrontClient"], distribution: str, output_name: str) -> None:
        self._client, self._distribution, self._output_name = client, distribution, output_name

    def notify(self, results: Iterable[PublishResult]) -> None:
        """Create one invalidation for each result with files; the same result is the same invalidation."""
        for result in results:
            if paths := invalidated_paths(result, self._output_name):
                self._invalidate(f"waypost-{result.id}", paths)

    def _invalidate(self, reference: str, paths: Sequence[str]) -> None:
        """CloudFront takes the same reference with the same paths for a repetition (CreateInvalidation)."""
        batch: InvalidationBatchTypeDef = {
            "Paths": {"Quantity": len(paths), "Items": list(paths)},
            "CallerReference": reference,
        }
        try:
            self._client().create_invalidation(DistributionId=self._distribution, InvalidationBatch=batch)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            if code in _BUSY or error.response["ResponseMetadata"].get("HTTPStatusCode", 0) >= _SERVER_ERROR:
                raise TryLaterError(f"CloudFront answers {code}", _RETRY_AFTER) from error
            raise AnnounceError(f"CloudFront answers {code}: {self._remedy(code)}") from error
        except BotoCoreError as error:
            raise TryLaterError(f"CloudFront does not answer: {error}", _RETRY_AFTER) from error

    def _remedy(self, code: str) -> str:
        if code == "AccessDenied":
            return f"allow cloudfront:CreateInvalidation on the distribution {self._distribution}"
        if code == "NoSuchDistribution":
            return f"there is no distribution {self._distribution} in this account; correct the setting `cloudfront`"
        return f"look at the distribution {self._distribution}; until its caches expire, it may serve old sitemaps"


def invalidated_paths(result: PublishResult, output_name: str) -> list[str]:
    """The paths of a result's files as CloudFront takes them; many of them as one with a wildcard.

    Paths are percent-encoded, and begin at the distribution's root (CloudFront, "Specifying the files to invalidate").
    """
    root = quote(unquote(urlsplit(result.base_url).path or "/"), safe="/-_.~")
    names = sorted({*result.written, *result.removed})
    paths = [root + quote(name, safe="/-_.~") for name in names]
    if len(paths) <= _MOST_PATHS:
        return paths
    wildcard = f"{root}{quote(output_name)}*"
    others = [path for path in paths if not path.startswith(wildcard[:-1])]
    return [wildcard, *others] if len(others) < _MOST_PATHS else [f"{root}*"]
