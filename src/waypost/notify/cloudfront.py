"""Removes published files from the caches of a CloudFront distribution."""

import time
from collections.abc import Callable, Iterable, Sequence
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from botocore.exceptions import BotoCoreError, ClientError

from waypost.core.errors import AnnounceError, PostponedError, TryLaterError
from waypost.core.hashing import short_digest
from waypost.notify.aws_clients import cloudfront_client
from waypost.notify.base import PublishResult, Sent

if TYPE_CHECKING:
    from mypy_boto3_cloudfront import CloudFrontClient
    from mypy_boto3_cloudfront.type_defs import CreateInvalidationResultTypeDef, InvalidationBatchTypeDef

WINDOW = 900.0
"""Seconds in which a bucket's files are invalidated once: CloudFront bills each path, and caches expire anyway."""
_MOST_PATHS = 15
"""Above so many paths, all files of the folder are invalidated."""
_BUSY = frozenset({"Throttling", "ThrottlingException", "TooManyInvalidationsInProgress", "ServiceUnavailable"})
_RETRY_AFTER = 300.0
_SERVER_ERROR = 500
_SAME_TIME = 0.5
"""Seconds between an invalidation and the answer to the request that created it; one that took longer is repeated."""


class CloudFront:
    """Invalidates the published files of one site; `output_name` is what the names of most of them begin with.

    If it `waits`, there is one invalidation in each quarter of an hour, and what is published after it waits for the
    next one. `client` makes a client when it is needed.
    """

    name = "cloudfront"
    wants_files, wants_urls = True, False

    def __init__(
        self,
        distribution: str,
        output_name: str,
        *,
        waits: bool = False,
        client: Callable[[], "CloudFrontClient"] = cloudfront_client,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client, self._distribution, self._output_name = client, distribution, output_name
        self._waits, self._clock = waits, clock

    def would_send(self, results: Iterable[PublishResult]) -> Sent:
        """The files whose caches would be invalidated."""
        return Sent(file_count=len({name for each in results for name in (*each.written, *each.removed)}))

    def notify(self, results: Iterable[PublishResult]) -> Sent:
        """Create one invalidation for all results; the same results are the same invalidation.

        Raises PostponedError if there was one in this window already.
        """
        names, last, base_url = set[str](), "", ""
        for result in results:
            names.update(result.written, result.removed)
            last, base_url = result.id, result.base_url
        sent = Sent(file_count=len(names))
        if not names:
            return sent
        paths = invalidated_paths(base_url, names, self._output_name)
        if not self._waits:
            self._invalidate(f"waypost-{last}", paths)
            return sent
        number, passed = divmod(self._clock(), WINDOW)
        site = short_digest(f"{base_url} {self._output_name}".encode())
        if not self._invalidate(f"waypost-{site}-{number:.0f}", paths):
            raise PostponedError("the caches were invalidated a short time ago", WINDOW - passed + 1)
        return sent

    def _invalidate(self, reference: str, paths: Sequence[str]) -> bool:
        """Whether this made an invalidation; CloudFront takes a reference once, and answers with the one it has.

        It refuses the same reference with other paths (CreateInvalidation).
        """
        batch: InvalidationBatchTypeDef = {
            "Paths": {"Quantity": len(paths), "Items": list(paths)},
            "CallerReference": reference,
        }
        try:
            answer = self._client().create_invalidation(DistributionId=self._distribution, InvalidationBatch=batch)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            if code == "InvalidationBatchAlreadyExists":
                return False
            if code in _BUSY or error.response["ResponseMetadata"].get("HTTPStatusCode", 0) >= _SERVER_ERROR:
                raise TryLaterError(f"CloudFront answers {code}", _RETRY_AFTER) from error
            raise AnnounceError(f"CloudFront answers {code}: {self._remedy(code)}") from error
        except BotoCoreError as error:
            raise TryLaterError(f"CloudFront does not answer: {error}", _RETRY_AFTER) from error
        return _answered_at(answer, self._clock()) - answer["Invalidation"]["CreateTime"].timestamp() <= _SAME_TIME

    def _remedy(self, code: str) -> str:
        if code == "AccessDenied":
            return f"allow cloudfront:CreateInvalidation on the distribution {self._distribution}"
        if code == "NoSuchDistribution":
            return f"there is no distribution {self._distribution} in this account; correct the setting `cloudfront`"
        return f"look at the distribution {self._distribution}; until its caches expire, it may serve old sitemaps"


def _answered_at(answer: "CreateInvalidationResultTypeDef", now: float) -> float:
    """When CloudFront answered, by its own clock."""
    date = answer["ResponseMetadata"]["HTTPHeaders"].get("date", "")
    return parsedate_to_datetime(date).timestamp() if date else now


def invalidated_paths(base_url: str, names: Iterable[str], output_name: str) -> list[str]:
    """The paths of files as CloudFront takes them; of two files or more one with a wildcard, which costs as much.

    Paths are percent-encoded, and begin at the distribution's root (CloudFront, "Specifying the files to invalidate").
    """
    root = quote(unquote(urlsplit(base_url).path or "/"), safe="/-_.~")
    paths = [root + quote(name, safe="/-_.~") for name in sorted(set(names))]
    wildcard = f"{root}{quote(output_name)}*"
    others = [path for path in paths if not path.startswith(wildcard[:-1])]
    if len(paths) - len(others) > 1:
        paths = [wildcard, *others]
    return paths if len(paths) <= _MOST_PATHS else [f"{root}*"]
