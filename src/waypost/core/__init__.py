"""Values, errors, URLs, dates, and one table of findings."""
