"""Waypost generates the sitemaps of websites and keeps them up to date."""

__version__ = "0.1.0"

REPOSITORY = ""
"""`owner/name` of Waypost's repository on GitHub; empty until it has one. Then run `python docs/generate.py`."""
RELEASE_TAG = ""
"""The tag that users write after the `@`: `v0` from the first release on; empty until then."""

SHOWN_REPOSITORY = REPOSITORY or "<owner>/<repository>"
SHOWN_ACTION = f"{SHOWN_REPOSITORY}@{RELEASE_TAG or '<commit>'}"
SHOWN_PACKAGE = "waypost" if RELEASE_TAG else f"waypost @ git+https://github.com/{SHOWN_REPOSITORY}@<commit>"
"""What documents show. No account on GitHub can have the name of a placeholder."""
