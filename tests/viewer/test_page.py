"""A page is one file whose policy fits what is in it, and its data is nothing but letters to HTML."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.viewer import bundle
from referee.viewer.page import page

EVIL = "</script><script>alert(1)</script><!--"


class Elements(HTMLParser):
    """What a browser would find."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[int, str] = {}
        self._inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            number = len(self.found) - 1
            self.texts[number] = self.texts.get(number, "") + data

    def text(self, tag: str, **attributes: str) -> str:
        for number, (name, found) in enumerate(self.found):
            if name == tag and all(found.get(key) == value for key, value in attributes.items()):
                if tag == "script" and not attributes and found:
                    continue
                return self.texts.get(number, "")
        raise AssertionError(f"there is no {tag} {attributes}")


def unpacked(elements: Elements, name: str) -> bytes:
    return zlib.decompress(base64.b64decode(elements.text("script", id=name)), -zlib.MAX_WBITS)


def hashed(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def test_the_policy_allows_the_pages_own_script_and_style_and_nothing_else() -> None:
    elements = Elements(page("a title", "replay", {}))
    policy = next(found["content"] for tag, found in elements.found if found.get("http-equiv")) or ""
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules == {
        "default-src": "'none'",
        "script-src": f"'{hashed(elements.text('script'))}'",
        "style-src": f"'{hashed(elements.text('style'))}'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_data_is_data_whatever_is_in_it() -> None:
    data: dict[str, Any] = {EVIL: [EVIL, 1.5, None]}
    html = page(EVIL, "replay", data, {"more": EVIL.encode()})
    assert html.count("<script") == 3
    elements = Elements(html)
    assert msgspec.json.decode(unpacked(elements, "data")) == data
    assert unpacked(elements, "more") == EVIL.encode()
    assert elements.text("title") == EVIL
    assert len(Elements(page("x" * 1_000_000, "replay", {})).text("title")) < 200


def test_nothing_in_a_page_leads_out_of_it() -> None:
    html = page("", "replay", {})
    addresses = set(re.findall(r"https?://[^\s\"'`]+", html))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, which nobody fetches
    assert "innerHTML" not in html
    assert "eval(" not in html


def web(folder: Path, monkeypatch: pytest.MonkeyPatch, **modules: str) -> None:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    monkeypatch.setattr(bundle, "_read", lambda name: (folder / name).read_text())
    bundle.script.cache_clear()


def test_modules_are_joined_once_each_and_keep_their_names_to_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web(
        tmp_path,
        monkeypatch,
        main='import { a } from "./one.js";\nimport { b } from "./two.js";\na(b);\n',
        one="const mine = 1;\nexport function a(x) { return x + mine; }\n",
        two='import { a } from "./one.js";\nconst mine = 2;\nexport const b = a(mine);\n',
    )
    joined = bundle.script("main")
    assert joined.count("const one_js") == 1
    assert joined.index("const one_js") < joined.index("const two_js") < joined.index("const main_js")
    assert "const { a } = one_js;" in joined
    assert "return { a };" in joined
    assert not re.search(r"^(import|export)\b", joined, re.MULTILINE)


@pytest.mark.parametrize(
    ("one", "words"),
    [
        ('import { b } from "./main.js";\n', "main imports one imports main"),
        ('import * as dom from "./dom.js";\n', r"one.js: .*import \* as dom"),
        ("export default 3;\n", "one.js: .*export default"),
    ],
)
def test_a_module_that_cannot_be_joined_is_refused(
    one: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web(tmp_path, monkeypatch, main='import { a } from "./one.js";\n', one=one)
    with pytest.raises(ValueError, match=words):
        bundle.script("main")
