"""Equilibrium, inverse dynamics, linearisation and modes."""
