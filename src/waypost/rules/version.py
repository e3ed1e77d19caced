"""The version of the rules by which pages are read and chosen."""

RULES_VERSION = 15
"""Raised whenever a rule changes what is read from a page, or whether a key is listed.

What an earlier version recorded does not compare with what this one reads: a bucket's objects are read again, and a
state's pages keep their dates.
"""
