"""Where the viewer stands, how the mouse moves the camera, and what must fit into the picture."""
