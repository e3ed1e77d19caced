"""What AWS Lambda calls: `handler.handler`."""

from waypost.aws.function import handler

__all__ = ["handler"]
