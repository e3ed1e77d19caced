"""A stack with the state machine, deployed over a bucket whose keys are split into many ranges."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from typing import TYPE_CHECKING, Any

from buckets import MadeBucket
from proxies import Hook, Proxy, forward_all
from stacks import Cloud, until

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

BASE = "https://example.org/"
FOLDERS = (
    *("%25", "100%", "4 colours", "<m>", "=equal", "B+C", "Zebra", 'blog "notes"', "cafe\u0301", "café", "docs", "e's"),
    *("faq", "guides", "je suis", "k&l", "news", "ö", "~home", "日本", "\ufffd", "\U0001f600"),
)
INDEX = {"index.html": "<title>First</title>", "index.htm": "<title>The same loc again</title>"}
PAGES = {
    "red flower.html": "<title>Red</title>",
    "100%25.html": "<title>Percent</title>",
    "a+b.html": "<title>Plus</title>",
    "é \U0001f600.html": "<title>Odd</title>",
    "hidden.html": "<meta name=robots content=noindex>",
}
FULL = ('blog "notes"', "docs", "guides", "news")
"""Folders with all of the pages; each other folder has one of them, in turn."""
DUPLICATES = {
    "a.html": "<title>A</title>",
    "a/index.html": "<title>A as well</title>",
    "a b.html": "x",
    "a+b.html": "y",
}
"""The first two have the same loc and are in different ranges."""
LANGUAGES = {"de/tee.html": "de", "en/tea.html": "en", "fr/thé.html": "fr"}
PICTURES = 1_010
"""More than one page of a listing: a smaller range is not split."""
GROUPS = [f"g{n} = [{json.dumps(f'/{name}/', ensure_ascii=False)}]" for n, name in enumerate(FOLDERS)]
SETTINGS = "\n".join(["drop_html = true", 'trailing_slash = "never"', "[groups]", *GROUPS])


def site() -> dict[str, str]:
    links = "".join(f'<link rel=alternate hreflang={to} href="{BASE}{key}">' for key, to in LANGUAGES.items())
    return {
        **{f"{folder}/{name}": content for folder in FOLDERS for name, content in INDEX.items()},
        **{f"{folder}/{name}": PAGES[name] for folder, name in zip(FOLDERS, cycle(PAGES))},
        **{f"{folder}/{name}": content for folder in FULL for name, content in PAGES.items()},
        **{f"a/{n:04}.png": "no page" for n in range(PICTURES)},
        **{key.replace(".html", ""): "no page" for key in LANGUAGES},
        **{key: f"<title>{to}</title>{links.replace('.html', '')}" for key, to in LANGUAGES.items()},
        **DUPLICATES,
        "index.html": "<title>Home</title>",
        "robots.txt": "User-agent: *\nDisallow: /faq/a\n",
    }


class DistributedStack:
    """A deployed function and state machine, and a bucket that the function reaches through a proxy."""

    def __init__(self, aws: Cloud, proxy: Proxy, name: str, outputs: Mapping[str, str]) -> None:
        self.aws, self.proxy, self.name, self.function = aws, proxy, name, outputs["RebuildFunctionName"]
        self.machine, self.state = outputs["StateMachineArn"], MadeBucket(aws.s3(), outputs["StateBucketName"])
        self.ledger_prefix = outputs["LedgerPrefix"]
        self.site, self.settings = MadeBucket(aws.s3(), name), SETTINGS

    def reset(self, settings: str = SETTINGS, hook: Hook = forward_all) -> None:
        """Delete the sitemaps and the ledger, and set the settings and the proxy's hook."""
        self.proxy.hook, self.settings = hook, settings
        self.put({"config/waypost.toml": settings})
        for bucket, prefix in ((self.site, "sitemap"), (self.state, self.ledger_prefix)):
            if keys := keys_with_prefix(bucket, prefix):
                bucket.client.delete_objects(Bucket=bucket.name, Delete={"Objects": [{"Key": key} for key in keys]})

    def put(self, objects: Mapping[str, str]) -> None:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda each: self.site.put(dict([each])), objects.items()))

    def remove(self, key: str) -> None:
        self.site.client.delete_object(Bucket=self.name, Key=key)

    def ask(self, **payload: Any) -> Any:
        return self.aws.invoke(self.function, payload)

    def output(self, execution: str) -> Any:
        """Wait for the end of an execution, which must succeed; returns its output."""
        client = self.aws.step_functions()
        until(lambda: client.describe_execution(executionArn=execution)["status"] != "RUNNING", execution)
        ended = self.aws.ended(execution)
        assert ended["status"] == "SUCCEEDED", ended
        return json.loads(ended["output"])

    def rebuild(self) -> Any:
        """Run a distributed rebuild; returns the output of its execution."""
        return self.output(self.ask(action="rebuild")["execution"])

    def published(self) -> dict[str, bytes]:
        return {key: self.site.get(key) for key in keys_with_prefix(self.site, "sitemap")}

    def published_versions(self) -> dict[str, Any]:
        """ETag and time of each published file."""
        return {key: version for key, version in self.site.versions().items() if key.startswith("sitemap")}

    def run_files(self, kind: str) -> list[str]:
        """The keys of a run's files of a kind, such as `scanned`."""
        return [key for key in keys_with_prefix(self.state, f"{self.ledger_prefix}runs/") if f"-{kind}-" in key]

    def deferred_keys(self) -> set[str]:
        """The keys of events that arrived during the rebuild."""
        return {key for name in self.run_files("deferred") for key in json.loads(self.state.get(name))}

    def news(self) -> bytes:
        """The sitemap of the pages in news/."""
        return self.published().get(f"sitemap-g{FOLDERS.index('news')}.xml", b"")

    def in_sync(self) -> bool:
        return bool(self.ask(action="check")["in_sync"])


def keys_with_prefix(bucket: MadeBucket, prefix: str) -> list[str]:
    pages = bucket.client.get_paginator("list_objects_v2").paginate(Bucket=bucket.name, Prefix=prefix)
    return [entry["Key"] for page in pages for entry in page.get("Contents", ())]


def deploy(aws: Cloud, proxy: Proxy, code: Path) -> DistributedStack:
    """A stack whose function reaches S3 through the proxy."""
    aws.aws("s3", "mb", "s3://site")
    parameters = {"BaseUrl": BASE, "BatchingWindow": "1", "Config": "s3://site/config/waypost.toml"}
    parameters |= {"Distributed": "true", "DistributeFrom": "50", "Workers": "3", "ObjectsPerWorker": "10"}
    outputs = aws.deploy("site-stack", code, "site", **parameters)
    aws.limit(outputs["StateMachineArn"], workers=3, attempts=3)
    stack = DistributedStack(aws, proxy, "site", outputs)
    stack.put(site())
    for function in ("EventFunctionName", "RebuildFunctionName"):
        aws.configure(outputs[function], AWS_ENDPOINT_URL_S3=proxy.url)
    return stack
