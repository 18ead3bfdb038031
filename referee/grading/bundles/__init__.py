"""What a bundle for a hosted grader is made of: its scripts, wheels of what is installed here, and what they run."""
