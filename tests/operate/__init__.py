"""A trial of a deployed stack on an emulator: clients, damage and failures, and what an operator sees of each.

`make operate` runs it. An operator's commands come from the documentation, word for word.
"""
