"""Widgets that panels and dialogs are made of: editors of values, plots, sliders."""
