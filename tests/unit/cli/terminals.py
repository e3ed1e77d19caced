"""A terminal for tests."""

import io


class Terminal(io.StringIO):
    """A terminal that keeps what it was sent."""

    def isatty(self) -> bool:
        return True
