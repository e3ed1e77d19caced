"""A folder's build, which keeps no ledger."""
