"""Whether a file of the ledger is one that this program can read: by the format and the version that it begins with."""

from waypost.core.errors import LedgerError, NewerVersionError

REMEDY = "a rebuild makes it anew; what is published stands meanwhile"


def check(found: tuple[str, int], known: tuple[str, int], where: str, strange: str) -> None:
    """Raise LedgerError for another format, in the words of `strange`, and NewerError for a newer version."""
    if found[0] != known[0]:
        raise LedgerError(f"{where} {strange}; {REMEDY}")
    if found[1] > known[1]:
        raise NewerVersionError(
            f"{where} has version {found[1]} and this program knows version {known[1]}; update Waypost"
        )


def damaged(where: str, error: Exception) -> LedgerError:
    """The error of a file that cannot be decoded."""
    return LedgerError(f"{where} is damaged ({error}); {REMEDY}")
