"""What is done about single steps: changes of state within them, steps that fail, steps that only crawl."""
