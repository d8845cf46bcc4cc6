"""Measurements: benchmarks, the papers' tables, parameters, statistics."""
