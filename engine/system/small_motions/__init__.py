"""Small motions about a state: the balance of forces there, and the linear motion that it leads to."""
