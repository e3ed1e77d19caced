"""Renders a report about a site as one HTML page."""
