"""Driving the real window from outside: `driver.py` obeys a script, `bench.py` measures."""
