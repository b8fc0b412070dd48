"""Mathematics below the mechanism: vectors, expressions, functions with exact derivatives."""
