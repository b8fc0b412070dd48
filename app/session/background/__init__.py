"""Work on threads of its own: building runs, checking, validating, trying lengths, analyses."""
