"""What channels show: one file per sort of element. Each gives `channels(mechanism)`."""
