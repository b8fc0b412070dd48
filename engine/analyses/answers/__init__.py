"""What an analysis answers: sentences, tables, charts, motions, linear models. Plain data only."""
