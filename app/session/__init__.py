"""The session: a document, its runs, the playhead, and the engine thread behind them. No widgets."""
