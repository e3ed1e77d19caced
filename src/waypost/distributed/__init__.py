"""A distributed rebuild: many workers rebuild the ledger of one bucket."""
