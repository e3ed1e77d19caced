"""Where files are kept: a folder, an S3 bucket, or memory for a dry run."""
