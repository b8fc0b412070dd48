"""What plots are made of: pyramids of samples, curves, statistics."""
