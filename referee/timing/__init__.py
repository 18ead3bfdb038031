"""How fast a strategy is: the same positions for every file, asked in the box, and what the times say."""
