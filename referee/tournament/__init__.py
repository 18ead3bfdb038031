"""Many games: who meets whom, on how many cores, and what the results say."""
