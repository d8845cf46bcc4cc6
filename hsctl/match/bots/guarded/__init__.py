"""Bots under a guardian, on Linux: nothing of them is left alive, and what they hold and use is counted."""
