"""The scene as a file: JSON in and out, old versions, schema, Python script, text tables."""
