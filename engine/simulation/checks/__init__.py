"""What is found before a run begins: would it run, which warnings apply, what lies ahead."""
