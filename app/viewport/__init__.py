"""The view of a mechanism: VTK draws it off screen, a plain widget paints the picture."""
