"""Calls something Strategy that is no class."""

Strategy = 42
