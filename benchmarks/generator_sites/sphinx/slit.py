"""Moves the slit of the dome."""


def margin(diameter: float) -> float:
    """Return the margin on both sides of a tube, in degrees. included-sphinx-slit."""
    return 4.0 if diameter < 1 else 6.0
