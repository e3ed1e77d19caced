"""The pipeline of a build, for folders and buckets, and what runs over a bucket remember."""
