"""Tests of tournaments: many games, their formats, their journal and what the results say."""
