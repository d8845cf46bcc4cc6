"""Commands for experiments."""
