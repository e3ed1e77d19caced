"""A Jekyll source folder as a source: computes which files `jekyll build` would write, and at which URLs."""
