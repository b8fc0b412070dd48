"""Reading what runs have recorded: segments, channels under other names, what computed them in words."""
