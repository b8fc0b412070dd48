"""Where the time of a run goes: the share of linear algebra, timed after it."""
