"""How fast strategies are, measured and told."""
