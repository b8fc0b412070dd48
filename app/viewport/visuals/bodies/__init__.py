"""Visuals of bodies: shapes, frames, inertia, ghosts."""
