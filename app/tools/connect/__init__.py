"""Tools that connect: joints, forces, motions and measures on what is there."""
