"""What the program stands on: Qt's application object, theme, icons, units, settings, files it ships."""
