"""Running a method on a mechanism, headless or watched."""
