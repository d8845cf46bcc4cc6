"""The specification: the rules in plain code, and tools that compare the fast core with it."""
