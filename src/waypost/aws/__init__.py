"""The Lambda function."""
