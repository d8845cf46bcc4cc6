"""The specification: the rules in plain code, and what compares the fast core with it."""
