"""Telling the world of what was published."""
