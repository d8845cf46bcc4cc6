"""Compiling kernels with numba, and the cache of compiled code. Knows nothing of the game."""
