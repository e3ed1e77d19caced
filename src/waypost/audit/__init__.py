"""Audits a site as a graph: its pages, the links between them, and what they say of one another."""
