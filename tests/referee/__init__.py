"""Tests of the referee: one game between strangers, its record, its observers and its commands."""
