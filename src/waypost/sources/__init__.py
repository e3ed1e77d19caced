"""Where items come from: a folder, Git, an S3 bucket, S3 events, and sitemaps to be checked."""
