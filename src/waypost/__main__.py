"""`python -m waypost`, the same as the command `waypost`."""

from waypost.cli.main import main

main(prog_name="waypost")
