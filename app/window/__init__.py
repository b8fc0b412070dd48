"""What the main window is made of: its frame, and its actions by family."""
