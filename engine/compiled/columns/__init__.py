"""What columns of the arrays mean: one module per array, imported in capitals (`row_values as ROW_VALUE`)."""
