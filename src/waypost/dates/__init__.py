"""When a page changed: commits, significance, sources of built pages, content."""
