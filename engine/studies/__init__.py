"""Studies: many runs of one scene, each with other values, and the numbers that come out of them."""
