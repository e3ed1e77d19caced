"""Simulates the AWS function over buckets of up to 1,000,000,000 objects."""
