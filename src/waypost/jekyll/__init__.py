"""A Jekyll source folder as a source: computes which files `jekyll build` would write, and at which URLs."""

from waypost.jekyll.config import Profile
from waypost.jekyll.source import JekyllSource

__all__ = [
    "JekyllSource",
    "Profile",
]
