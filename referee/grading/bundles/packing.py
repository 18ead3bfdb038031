"""Zip archives that depend on nothing but their files: the same ones give the same bytes, whenever and by whomever."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Collection, Mapping

_UNIX = 3  # "made by" in a zip: only then are the permissions read


def packed(files: Mapping[str, bytes], executable: Collection[str] = ()) -> bytes:
    """An archive of these, in their order."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # of 1980, which is as early as a zip knows
            entry.create_system = _UNIX
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | (0o755 if name in executable else 0o644)) << 16
            archive.writestr(entry, content)
    return made.getvalue()
