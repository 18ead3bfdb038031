"""Reference strategies for Q, one file each."""
