"""Kinematics: assembly, branches, driven motion."""
