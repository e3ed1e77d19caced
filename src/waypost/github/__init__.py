"""The GitHub Action."""
