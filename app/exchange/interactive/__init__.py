"""A run as one web page that needs nothing else: the mechanism moves and can be turned, beside its plots."""
