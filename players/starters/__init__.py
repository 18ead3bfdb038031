"""What `referee new` writes: one commented file a game that plays legally."""
