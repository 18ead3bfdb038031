"""Crashes while it is loaded."""

import os

os.abort()
