"""What objectives owe to variables: derivatives at one point, and shares of the variance over all of them."""
