"""Trajectories as files."""
