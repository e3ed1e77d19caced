"""What AWS Lambda calls: `handler.handler`."""

from waypost.entry.aws import handler

__all__ = ["handler"]
