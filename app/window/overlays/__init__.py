"""Small widgets that lie over the viewport: options of a tool, starting points, notices, the guided build."""
