"""What constraints and forces are stated in: frames on bodies, coordinate functions between them, rows."""
