"""The race: lanes, their table and linked plots."""
