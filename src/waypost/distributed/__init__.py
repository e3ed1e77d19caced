"""A rebuild of one bucket by many workers."""
