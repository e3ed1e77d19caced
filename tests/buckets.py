"""Buckets for tests: moto's S3 over HTTP, in this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from page_content import file_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_s3 import S3Client


@dataclass(frozen=True)
class MadeBucket:
    """A bucket of the test's own."""

    client: S3Client
    name: str

    @classmethod
    def create(cls, client: S3Client) -> MadeBucket:
        name = f"site-{uuid4().hex[:12]}"
        client.create_bucket(Bucket=name)
        return cls(client, name)

    def put(self, objects: Mapping[str, str | bytes], **headers: Any) -> None:
        for key, content in objects.items():
            given = {"ContentType": "text/html", **headers} if key.endswith((".html", ".htm")) else headers
            self.client.put_object(Bucket=self.name, Key=key, Body=file_bytes(key, content), **given)

    def get(self, key: str) -> bytes:
        return self.client.get_object(Bucket=self.name, Key=key)["Body"].read()

    def keys(self) -> list[str]:
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.name)
        return [entry["Key"] for page in pages for entry in page.get("Contents", ())]

    def versions(self) -> dict[str, Any]:
        """When each object was written last."""
        listed = self.client.list_objects_v2(Bucket=self.name).get("Contents", ())
        return {entry["Key"]: (entry["ETag"], entry["LastModified"]) for entry in listed}
