"""What decides whether an item becomes a page or is skipped, and what a page says."""
