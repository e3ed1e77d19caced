"""Hostile inputs by name: a function that makes one of a size, what reads it, and the size to begin with."""
