"""What is drawn of a run beside the bodies: traced paths, arrows of reactions and velocities, ghosts."""
