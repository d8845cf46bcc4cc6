"""The command line of hsctl."""

__version__ = "0.1.0"
