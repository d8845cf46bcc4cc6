"""Checks that take longer than tests: of the engine, of the statistics."""
