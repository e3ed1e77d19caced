"""What becomes of an item: a page to list, or something skipped with a reason."""
