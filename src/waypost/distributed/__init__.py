"""A rebuild by many workers: ranges are gathered, their segments shaped, all is committed at once, then published."""
