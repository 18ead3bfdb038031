"""A referee for games between strangers' programs."""
