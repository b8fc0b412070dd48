"""How samples become lines: pyramids, what a raster needs of them, wrapping, outliers, statistics."""
