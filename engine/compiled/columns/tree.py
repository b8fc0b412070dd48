"""Columns of `System.tree`: one row per movement of the joints of a tree, those nearer to the world first."""

from typing import Final

PARENT: Final = 0  # row that it moves against; the number of rows stands for the world
BODY: Final = 1  # body that it carries, or −1 between two movements of one joint
END: Final = 2  # body that its joint carries
SORT: Final = 3  # TREE_SORT
Q: Final = 4  # its first number among the coordinates, which are those of the body's own place
V: Final = 5  # the same among the velocities
STRAIGHT: Final = 6  # 1 where its frame has the axes of its parent's at zero
ALIGNED: Final = 7  # 1 where the body has the axes of the frame
THREADED: Final = 8  # 1 where a turn advances, if by nothing
COLUMNS: Final = 9
