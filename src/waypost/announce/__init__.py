"""Announces what was published: commits it to Git, and pushes the commit."""
