"""What holds at one instant: balance of forces, what joints carry, which way rows act."""
