"""Charts of analyses and studies: series over a common axis, on the screen and in files."""
