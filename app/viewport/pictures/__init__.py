"""Pictures without a window: for files, thumbnails and lists."""
