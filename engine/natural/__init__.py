"""Mechanisms in natural and mixed coordinates: points, unit vectors, joint angles and distances."""
