"""Steps of a run: a mechanism bound to a method, the compiled loop, and what it calls beside the method."""
