"""One repository's history, commits and pushes."""

from waypost.git.checkout import CommitMessage, FileChanges, GitCheckout
from waypost.git.history import ignored_commits, read_history, read_newer
from waypost.git.page_versions import PageVersions
from waypost.git.repository import GitFolder, Repositories
from waypost.git.symbolic_links import linked_names, with_names
from waypost.git.tracked_files import OtherFiles, TrackedFiles, submodules, with_others

__all__ = [
    "CommitMessage",
    "FileChanges",
    "GitCheckout",
    "GitFolder",
    "OtherFiles",
    "PageVersions",
    "Repositories",
    "TrackedFiles",
    "ignored_commits",
    "linked_names",
    "read_history",
    "read_newer",
    "submodules",
    "with_names",
    "with_others",
]
