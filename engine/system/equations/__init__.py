"""The equations of a mechanism at one instant."""
