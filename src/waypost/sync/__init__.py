"""Keeps a bucket's sitemaps up to date by its ledger."""
