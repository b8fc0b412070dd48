"""What a run leaves: states, channels, trajectories and files."""
