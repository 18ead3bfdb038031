"""Pages to look at: single HTML files that open from a disk, need no network, and run nothing of what they show."""
