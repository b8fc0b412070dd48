"""Searching the best values of a study: its goal, how runs are judged, and the searches, one file each."""
