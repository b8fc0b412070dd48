"""A plot: what it shows, the curves on its axes, heading, cursor and marks."""
