"""What was recorded: a run of samples, and the list of runs."""
