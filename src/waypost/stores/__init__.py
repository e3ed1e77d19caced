"""Stores files: in a folder, in an S3 bucket, or in memory for a dry run."""
