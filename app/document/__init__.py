"""The document: a frozen scene, its undo stack, what is selected and what is wrong in it. No widgets."""
