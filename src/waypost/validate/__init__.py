"""Checks any sitemap against the protocol."""
