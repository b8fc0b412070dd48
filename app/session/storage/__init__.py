"""Runs on disk while they are watched: streamed to a file, or stored poses shown while kernels compile."""
