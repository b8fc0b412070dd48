"""How the parts of templates look, and what they weigh."""

# Okabe and Ito's palette: told apart with every kind of colour vision
BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PINK, YELLOW, GREY, DARK = "#56B4E9", "#CC79A7", "#F0E442", "#9AA0A6", "#3C4043"
COLORS = (BLUE, ORANGE, GREEN, SKY, PINK, YELLOW, GREY)  # of the links, in turn
DENSITY = 1000.0  # kg/m³: plastic
