"""The scene: its structs, file, checks and resolved numbers."""
