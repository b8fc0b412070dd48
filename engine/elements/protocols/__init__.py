"""What those who check and edit scenes offer to a kind: protocols."""
