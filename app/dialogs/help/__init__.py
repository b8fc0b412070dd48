"""The help window and its pages."""
