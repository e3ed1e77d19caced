"""What a file says, whether it is listed, and at which URL."""
