"""Poses and velocities that satisfy the constraints."""
