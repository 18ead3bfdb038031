"""Reference strategies for Fish."""
