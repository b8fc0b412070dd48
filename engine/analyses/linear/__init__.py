"""Linear models of a mechanism: state space, root locus, frequency response."""
