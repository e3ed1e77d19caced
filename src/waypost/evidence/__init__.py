"""Finds the tracked files that a built page is made of, by evidence alone: texts, links, dates and paths."""
