"""Reports of a run, for the browser and for paper."""
