"""Settings become clients, and clients become a job; all entry points share it."""
