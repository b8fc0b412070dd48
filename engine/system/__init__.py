"""The mechanism: a scene compiled to arrays, its equations, and its assembly."""
