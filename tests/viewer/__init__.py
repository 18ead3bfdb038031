"""Tests of how pages are made."""
