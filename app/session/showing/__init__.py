"""What is shown beside the run: a ghost before something is done, arrows, lines of an answer. No widgets."""
