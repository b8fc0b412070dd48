"""The move tool: handles to shift and turn bodies, parts and joints."""
