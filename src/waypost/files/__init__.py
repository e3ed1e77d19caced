"""Folders, S3 and the web, read and written under the same guards."""

from waypost.files.dry_run_store import DryRunStore
from waypost.files.folder_store import FolderStore
from waypost.files.store import DIGEST, NO_HEADERS, ConditionalStore, FileInfo, RangedStore, Store, WriteHeaders

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
