"""Two strangers for a first game: one is honest, one cheats."""
