"""The command line, `waypost`."""
