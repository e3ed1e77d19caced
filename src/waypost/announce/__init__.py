"""Announces what was published to search engines, caches and event buses, and to GitHub through its API."""
