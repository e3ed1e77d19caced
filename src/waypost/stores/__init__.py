"""Stores files: in a folder, in an S3 bucket, or in memory for a dry run."""

from waypost.stores.base import DIGEST, NO_HEADERS, ConditionalStore, FileInfo, RangedStore, Store, WriteHeaders
from waypost.stores.dry_run import DryRunStore
from waypost.stores.filesystem import FolderStore

__all__ = [
    "DIGEST",
    "NO_HEADERS",
    "ConditionalStore",
    "DryRunStore",
    "FileInfo",
    "FolderStore",
    "RangedStore",
    "Store",
    "WriteHeaders",
]
