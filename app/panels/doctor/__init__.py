"""The doctor: redundant constraints and remedies, degrees of freedom, open joints, assembly branches."""
