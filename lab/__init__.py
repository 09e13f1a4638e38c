"""The laboratory: stored samples, the pages made of them, and the figures of the papers. `python3 -m lab` says what it does."""
