"""Reference strategies, written as a student would write them."""
