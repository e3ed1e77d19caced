"""Asks the URLs that sitemaps list, and compares the servers' answers with what the sitemaps say."""
