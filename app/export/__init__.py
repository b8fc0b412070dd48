"""Taking results away, and bringing them back: trajectories, plots, pictures, films, reports."""
