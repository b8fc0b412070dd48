"""Benchmarks as the command line shows them."""
