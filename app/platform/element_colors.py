"""The colours that bodies and traces get unless the scene gives them one."""

# Okabe and Ito: colours that stay apart for colour-blind eyes
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
