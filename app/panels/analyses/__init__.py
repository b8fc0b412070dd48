"""The panel of analyses, and their answers as pages."""
