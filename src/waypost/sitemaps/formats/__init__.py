"""The output formats, one file each: its names, its template, its check, and how its files are recognised."""
