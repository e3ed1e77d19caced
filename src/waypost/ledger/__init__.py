"""What is remembered of a bucket between runs; only the store does any I/O."""
