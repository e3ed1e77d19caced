"""Checks sitemap files, whoever wrote them, against the protocol and the rules of search engines."""
