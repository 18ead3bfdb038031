"""Unpacks 100 KB into 100 MB."""

import zlib


def attack():
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(100)) + packer.flush()
    return f"unpacked {len(zlib.decompress(packed)):,} bytes"
