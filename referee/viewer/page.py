"""One self-contained HTML file: scripts and styles of ours, and data, which nothing in the page takes for markup.

Data is compressed and spelled in letters that mean nothing to HTML; the scripts put it on the page as text only. The
page's policy allows the very script and style that are in it, by their hashes, and no request at all.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Mapping
from html import escape
from typing import Any

import msgspec

from referee.viewer import bundle
from sandbox import clean

_LONGEST_TITLE = 120


def page(title: str, entry: str, data: Any, attached: Mapping[str, bytes] | None = None) -> str:
    """A page that runs `web/<entry>.js` on `data`, in the looks of `base.css` and `<entry>.css`.

    Whatever is plain enough for JSON can be data: `unpackJson("data")` of `data.js` gives it to the script. `attached`
    are further blocks, by their ids, that are unpacked only when somebody asks for them.
    """
    script, style = bundle.script(entry), bundle.styles("base", entry)
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    blocks = {"data": msgspec.json.encode(data), **(attached or {})}
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(clean(title, _LONGEST_TITLE))}</title>",
            '<link rel="icon" href="data:,">',
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            '<noscript><p class="noscript">This page draws itself with the script inside it: allow scripts for it.</p>'
            "</noscript>",
            *(_block(name, content) for name, content in blocks.items()),
            f"<script>{script}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _block(name: str, content: bytes) -> str:
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    letters = base64.b64encode(squeezed.compress(content) + squeezed.flush()).decode()
    return f'<script type="application/octet-stream" id="{escape(name)}">{letters}</script>'


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
