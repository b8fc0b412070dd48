"""Drawing tools: bars, plates and solids, with snapping and typed numbers."""
