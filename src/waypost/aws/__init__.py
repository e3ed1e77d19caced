"""The AWS Lambda function and its state machine."""
