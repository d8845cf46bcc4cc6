"""An explanation on the screen."""
