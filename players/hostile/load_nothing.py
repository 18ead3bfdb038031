"""Defines nothing at all."""
