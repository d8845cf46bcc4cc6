"""Checks that run longer than tests."""
