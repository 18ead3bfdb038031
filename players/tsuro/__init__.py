"""Reference strategies for Tsuro."""
