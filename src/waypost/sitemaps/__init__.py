"""Pages to shards to checked, rendered files."""
