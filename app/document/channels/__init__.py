"""Channels by the scene of a document: their names, formulas and units. No Qt."""
