"""Tests of the rules of each game."""
