"""The ways in: each reads its own world, makes clients, calls the pipeline, turns errors into exits."""
