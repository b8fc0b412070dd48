"""What designers of machines ask: balance, clearance, workspace, transmission angle, tolerance bands."""
