"""Folders, S3 and the web, read and written under the same guards."""

from waypost.files.folder_store import FolderStore
from waypost.files.store import (
    DIGEST,
    NO_HEADERS,
    ConditionalStore,
    DryRunStore,
    KeptFile,
    Store,
    WriteHeaders,
    keep_file,
    read_kept,
)

__all__ = [
    "DIGEST",
    "NO_HEADERS",
    "ConditionalStore",
    "DryRunStore",
    "FolderStore",
    "KeptFile",
    "Store",
    "WriteHeaders",
    "keep_file",
    "read_kept",
]
