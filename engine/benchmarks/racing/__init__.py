"""Races: several methods on one scene, each in a process of its own, in step with one clock."""
