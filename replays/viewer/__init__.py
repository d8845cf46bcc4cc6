"""The interactive stepper of the terminal."""
