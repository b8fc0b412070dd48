"""Why a run ends: stop conditions, failures in words, motions that contradict each other."""
