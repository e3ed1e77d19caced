"""Any sitemap, anyone's, against the protocol and what its readers say of it."""
