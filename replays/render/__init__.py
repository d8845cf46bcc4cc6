"""Rich renderables of boards and turns."""
