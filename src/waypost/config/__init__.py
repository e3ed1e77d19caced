"""Every setting with its check and its default, and a checked Site that reports all issues at once."""
