"""Pages become shards, and shards become rendered, checked documents."""
