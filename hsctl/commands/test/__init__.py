"""Commands that test what the user has written."""
