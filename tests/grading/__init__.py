"""The course desk."""
