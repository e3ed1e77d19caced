"""Inputs that once took far more time or memory than their length, and the functions that read them."""
