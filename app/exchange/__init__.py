"""Taking results away and bringing work of others in: films, reports, plots, saved runs, imports."""
