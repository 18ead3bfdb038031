"""What goes wrong on our side of the wall: never a player's fault."""

from __future__ import annotations


class BoxError(Exception):
    """The box or the machine failed; whatever was being asked can be asked again elsewhere."""


class ZygoteDied(BoxError):
    """The process that makes workers is gone, and all its workers with it."""


class MissingLayers(BoxError):
    """This machine lacks layers without which strangers' code is not run."""
