"""What happens after publishing: a Git commit and a push."""
