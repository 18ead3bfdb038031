"""The course desk: what a course asks for, what was handed in, and what it is worth."""
