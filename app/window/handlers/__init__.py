"""What the actions of the menus do, one handler per menu or part of it."""
