"""The shipped scenes, and the generators that write them."""
