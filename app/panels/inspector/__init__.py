"""The inspector: a form for what is selected."""
