"""Waypost keeps a website's sitemaps true."""

__version__ = "0.1.0"
