"""The paths of the files from which site generators make their pages, by the configuration of a project."""
