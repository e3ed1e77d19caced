"""Values and small functions that every other package may use."""
