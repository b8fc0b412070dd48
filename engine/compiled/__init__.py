"""Compiled code: how kernels are compiled, array layouts, signatures, calls by address."""
