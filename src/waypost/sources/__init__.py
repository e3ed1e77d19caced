"""Reads what a site is made of (a folder, Git, an S3 bucket, S3 events), and opens sitemap files to be checked."""
