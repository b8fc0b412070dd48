"""Dragging bodies with the mouse: along the constraints while nothing runs, by a spring while it runs."""
