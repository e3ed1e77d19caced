"""Any sitemap against the protocol."""
