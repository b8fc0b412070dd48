"""What visuals are drawn with: the off-screen window, the render scene, surfaces, colours."""
