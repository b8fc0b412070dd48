"""Parts that editors share: lines of text, numbers, small curves, forms over functions."""
