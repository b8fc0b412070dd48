"""What the actions of the menus do, one file per menu."""
