"""Films of a run, with plots beside them."""
