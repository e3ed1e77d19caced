"""Waypost generates the sitemaps of websites and keeps them up to date."""

__version__ = "0.1.0"
