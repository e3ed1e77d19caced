"""The entry point of the AWS Lambda function: `handler.handler`."""

from waypost.aws.process import handler

__all__ = ["handler"]
