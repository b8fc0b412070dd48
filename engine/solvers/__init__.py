"""Numerical methods: formulations, schemes, stabilisations, direct methods, linear algebra."""
