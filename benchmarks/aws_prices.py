"""AWS prices in us-east-1, in dollars, without the free tiers; change them here for another region."""

S3_WRITE = 0.005 / 1_000
"""One PUT or LIST request."""
S3_READ = 0.0004 / 1_000
"""One GET or HEAD request; DELETE is free."""
S3_GIGABYTE_MONTH = 0.023
"""A gigabyte of S3 Standard for a month; versions that are not current cost the same."""
SQS_REQUEST = 0.40 / 1_000_000
"""One send, receive or delete; a batch of up to ten messages is one request."""
EVENTBRIDGE_EVENT = 1.00 / 1_000_000
"""One event; some pages of AWS say that S3's own events are free."""
LAMBDA_CALL = 0.20 / 1_000_000
LAMBDA_GIGABYTE_SECOND = 0.0000133334
"""On arm64."""
TRANSITION = 0.025 / 1_000
"""One state transition of a standard workflow of Step Functions."""
METRIC_MONTH = 0.30
"""One custom metric, which is one name and one site."""
ALARM_MONTH = 0.10
"""One metric of an alarm of standard resolution: an alarm on a sum of two metrics costs twice as much."""
LOG_GIGABYTE = 0.50
"""A gigabyte that is written to the log."""
LOG_GIGABYTE_MONTH = 0.03
"""A gigabyte of the log that is kept for a month, after compression by AWS."""
