"""Running a study: one run, batches of runs, and where they run."""
