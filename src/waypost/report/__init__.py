"""The report on a site as one HTML page."""
