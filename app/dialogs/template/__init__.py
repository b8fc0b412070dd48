"""The dialog that inserts a template."""
