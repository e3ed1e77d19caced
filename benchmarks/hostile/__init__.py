"""Inputs that are made to be slow or large to read, by name: how one of size n is made, and what reads it."""
