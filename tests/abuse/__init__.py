"""Strangers' tricks against the box: one table, run with every layer on and with each one off."""
