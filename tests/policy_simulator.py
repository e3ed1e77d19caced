"""Decides by the policies of a role whether AWS would allow a request, from the request as it is sent.

Sources: "Policy evaluation logic" and "IAM JSON policy elements" (IAM User Guide), and the actions that the Service
Authorization Reference names for each API operation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote

ACCOUNT, REGION = "123456789012", "us-east-1"
_CREDENTIAL = re.compile(r"Credential=([^/]+)/\d+/[^/]+/([^/]+)/aws4_request")
_SQS_ACTIONS = {"ChangeMessageVisibilityBatch": "ChangeMessageVisibility", "DeleteMessageBatch": "DeleteMessage"}
_BUCKET_SETTINGS = {
    "notification": "GetBucketNotification",
    "location": "GetBucketLocation",
    "requestPayment": "GetBucketRequestPayment",
}
_OBJECT_ACTIONS = {"GET": "GetObject", "HEAD": "GetObject", "PUT": "PutObject", "DELETE": "DeleteObject"}


class Access(NamedTuple):
    """What a request does: its action, the ARN of the resource, and the keys of its context for conditions."""

    action: str
    resource: str
    context: tuple[tuple[str, str], ...] = ()


class Sent(NamedTuple):
    """A request as it is sent; the path is decoded, and names of headers are in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def credential(self) -> tuple[str, str]:
        """The access key and the service that the signature names."""
        found = _CREDENTIAL.search(self.headers.get("authorization", ""))
        return (found[1], found[2]) if found else ("", "")


def accesses(sent: Sent) -> list[Access]:
    """What a request does; raises KeyError for a service or an operation that is not known."""
    return _SERVICES[sent.credential[1]](sent)


def allows(statements: Sequence[Mapping[str, Any]], access: Access) -> bool:
    """Whether one of these statements allows an access, and none denies it."""
    return any(applies(each, access) for each in statements) and not any(
        applies(each, access, "Deny") for each in statements
    )


def applies(statement: Mapping[str, Any], access: Access, effect: str = "Allow") -> bool:
    """Whether a statement allows or denies an access: its action, its resource and all of its conditions match."""
    return (
        statement["Effect"] == effect
        and any(matches(each.lower(), access.action.lower()) for each in as_list(statement["Action"]))
        and any(matches(each, access.resource) for each in as_list(statement["Resource"]))
        and _conditions_hold(statement.get("Condition", {}), dict(access.context))
    )


def matches(pattern: str, text: str) -> bool:
    """Whether a text has the form of a pattern, in which `*` and `?` stand for other characters."""
    return fnmatchcase(text, pattern.replace("[", "[[]"))


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _conditions_hold(conditions: Mapping[str, Mapping[str, Any]], context: Mapping[str, str]) -> bool:
    """A key that the request does not have makes its condition false."""
    tests = {"StringLike": matches, "StringEquals": str.__eq__}
    return all(
        name in context and any(tests[test](each, context[name]) for each in as_list(values))
        for test, by_name in conditions.items()
        for name, values in by_name.items()
    )


def _s3(sent: Sent) -> list[Access]:
    bucket, _, key = sent.path.lstrip("/").partition("/")
    arn = f"arn:aws:s3:::{bucket}"
    if key:
        actions = [_OBJECT_ACTIONS[sent.method], *(["PutObjectAcl"] if "x-amz-acl" in sent.headers else [])]
        return [Access(f"s3:{action}", f"{arn}/{key}") for action in actions]
    if "delete" in sent.query:
        keys = re.findall(r"<Key>(.*?)</Key>", sent.body.decode())
        return [Access("s3:DeleteObject", f"{arn}/{each}") for each in keys]
    if settings := _BUCKET_SETTINGS.keys() & sent.query.keys():
        return [Access(f"s3:{_BUCKET_SETTINGS[each]}", arn) for each in settings]
    prefix = (("s3:prefix", sent.query["prefix"]),) if "prefix" in sent.query else ()
    return [Access("s3:ListBucket", arn, prefix)]


def _operation(sent: Sent) -> tuple[str, dict[str, Any]]:
    return sent.headers["x-amz-target"].rpartition(".")[2], json.loads(sent.body or b"{}")


def _sqs(sent: Sent) -> list[Access]:
    operation, given = _operation(sent)
    name = given["QueueUrl"].rpartition("/")[2]
    return [Access(f"sqs:{_SQS_ACTIONS.get(operation, operation)}", f"arn:aws:sqs:{REGION}:{ACCOUNT}:{name}")]


def _logs(sent: Sent) -> list[Access]:
    operation, given = _operation(sent)
    stream = f"log-group:{given['logGroupName']}:log-stream:{given['logStreamName']}"
    return [Access(f"logs:{operation}", f"arn:aws:logs:{REGION}:{ACCOUNT}:{stream}")]


def _lambda(sent: Sent) -> list[Access]:
    return [Access("lambda:InvokeFunction", unquote(sent.path.split("/functions/")[1].removesuffix("/invocations")))]


def _cloudwatch(sent: Sent) -> list[Access]:
    if "x-amz-target" in sent.headers:
        return [Access(f"cloudwatch:{_operation(sent)[0]}", "*")]
    if "/operation/" in sent.path:
        return [Access(f"cloudwatch:{sent.path.rpartition('/')[2]}", "*")]
    return [Access(f"cloudwatch:{parse_qs(sent.body.decode())['Action'][0]}", "*")]


def _cloudfront(sent: Sent) -> list[Access]:
    distribution = sent.path.split("/distribution/")[1].removesuffix("/invalidation")
    return [Access("cloudfront:CreateInvalidation", f"arn:aws:cloudfront::{ACCOUNT}:distribution/{distribution}")]


def _events(sent: Sent) -> list[Access]:
    operation, given = _operation(sent)
    return [Access(f"events:{operation}", each["EventBusName"]) for each in given["Entries"]]


_SERVICES = {
    "s3": _s3,
    "sqs": _sqs,
    "logs": _logs,
    "lambda": _lambda,
    "monitoring": _cloudwatch,
    "cloudfront": _cloudfront,
    "events": _events,
}
_WITH_KEYS = {
    "s3:GetObject": ("kms:Decrypt",),
    "s3:PutObject": ("kms:GenerateDataKey",),
    "sqs:SendMessage": ("kms:GenerateDataKey", "kms:Decrypt"),
    "sqs:ReceiveMessage": ("kms:Decrypt",),
}
"""What S3 and SQS do with the key of an encrypted bucket or queue in the name of the role that asks them (KMS, "How
Amazon S3 uses AWS KMS"; SQS, "Key management")."""


def key_accesses(access: Access, keys: Mapping[str, str]) -> list[Access]:
    """What an access needs of its resource's KMS key; `keys` are ARNs of keys by patterns of resources."""
    key = next((key for pattern, key in keys.items() if matches(pattern, access.resource)), None)
    return [Access(action, key) for action in _WITH_KEYS.get(access.action, ())] if key else []
