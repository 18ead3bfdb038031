"""Files, folders and zips as students give them, and those that nobody may give."""

from __future__ import annotations

import contextlib
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from referee.grading.archive import ArchiveError
from referee.grading.intake import read
from sandbox import Submission, SubmissionError
from tests.grading.courses import HONEST
from tests.grading.zips import patched, raw, zipped

Files = Mapping[str, str]

# However one file is wrapped, it is that file.
ALONE: dict[str, tuple[Files, str]] = {
    "on top": ({"bot.py": HONEST}, "bot.py"),
    "called strategy.py": ({"strategy.py": HONEST}, "strategy.py"),
    "one level down": ({"work/bot.py": HONEST}, "bot.py"),
    "strategy.py one level down": ({"work/strategy.py": HONEST}, "strategy.py"),
    "two levels down": ({"a/b/bot.py": HONEST}, "bot.py"),
    "from a Mac": ({"work/bot.py": HONEST, "__MACOSX/work/._bot.py": "x", "work/.DS_Store": "x"}, "bot.py"),
    "with caches": ({"bot.py": HONEST, "__pycache__/bot.cpython-311.pyc": "x", ".git/config.py": "x"}, "bot.py"),
}
TOGETHER: dict[str, Files] = {
    "on top": {"strategy.py": HONEST, "weights.json": "[1]"},
    "one level down": {"work/strategy.py": HONEST, "work/weights.json": "[1]"},
    "from a Mac": {"work/strategy.py": HONEST, "work/weights.json": "[1]", "__MACOSX/work/._strategy.py": "x"},
    "beside notes": {"work/strategy.py": HONEST, "work/weights.json": "[1]", "README.md": "mine"},
}


def laid(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def given(tmp_path: Path, files: Files, form: str) -> Path:
    return laid(tmp_path / "given", files) if form == "folder" else zipped(tmp_path / "given.zip", files)


@pytest.mark.parametrize("form", ["folder", "zip"])
@pytest.mark.parametrize("name", ALONE)
def test_one_file_is_one_submission_however_it_is_wrapped(name: str, form: str, tmp_path: Path) -> None:
    files, entry = ALONE[name]
    (tmp_path / entry).write_text(HONEST)
    found = read(given(tmp_path, files, form))
    assert found.submission == Submission.read(tmp_path / entry)
    assert found.left_out == ()


@pytest.mark.parametrize("form", ["folder", "zip"])
@pytest.mark.parametrize("name", TOGETHER)
def test_a_folder_with_data_is_one_submission_however_it_is_wrapped(name: str, form: str, tmp_path: Path) -> None:
    plain = Submission.read(laid(tmp_path / "plain", TOGETHER["on top"]))
    found = read(given(tmp_path, TOGETHER[name], form))
    assert (found.submission.sha256, found.submission.files) == (plain.sha256, plain.files)
    assert found.left_out == (("README.md",) if name == "beside notes" else ())


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "a.zip", {"w/bot.py": HONEST, "w/notes.txt": "", "w/\x1b[2J": ""}))
    assert found.submission.entry == "bot.py"
    assert set(found.left_out) == {"w/notes.txt", "w/\\x1b[2J"}


def test_a_zip_in_a_folder_of_its_own_is_understood(tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    zipped(tmp_path / "given" / "work.zip", {"bot.py": HONEST})
    assert read(tmp_path / "given").submission.entry == "bot.py"


@pytest.mark.parametrize("form", ["folder", "zip"])
@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "has no Python file"),
        ({"notes.txt": ""}, "has no Python file"),
        ({"a.py": "", "b.py": ""}, "has 2 Python files (a.py, b.py), and none of them is strategy.py"),
        ({"a/strategy.py": "", "b/strategy.py": ""}, "has 2 Python files"),
        ({"strategy.py": "x" * 1_000_001}, "goes over the 1,000,000 bytes of Python source"),
        ({"strategy.py": HONEST, "\u202edata": ""}, "characters in its name that cannot be shown"),
    ],
)
def test_what_is_no_submission_is_refused_under_the_name_it_was_given(
    files: Files, said: str, form: str, tmp_path: Path
) -> None:
    (tmp_path / "given").mkdir()
    path = given(tmp_path, files, form)
    with pytest.raises(SubmissionError) as error:
        read(path)
    assert said in str(error.value)
    assert str(path) in str(error.value)


def test_links_in_a_folder_are_never_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text(HONEST)
    for name in ("bot.py", "strategy.py", "work.zip"):
        place = tmp_path / f"with {name}"
        place.mkdir()
        (place / name).symlink_to(tmp_path / "secret.py")
        with pytest.raises(SubmissionError, match="a link"):
            read(place)
    inside = tmp_path / "linked"
    inside.mkdir()
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "bot.py").write_text(HONEST)
    (inside / "far").symlink_to(tmp_path / "far")
    with pytest.raises(SubmissionError, match="no Python file"):
        read(inside)


HOSTILE_NAMES = {
    "../strategy.py": "leads out of its folder",
    "a/../../strategy.py": "leads out of its folder",
    "./strategy.py": "leads out of its folder",
    "a//strategy.py": "leads out of its folder",
    "/strategy.py": "an absolute name",
    "C:/strategy.py": "an absolute name",
    "C:strategy.py": "an absolute name",
    "a\\strategy.py": "a backslash",
    "..\\strategy.py": "a backslash",
    "n" * 300: "over 255 bytes",
}


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_zip_with_a_name_that_leads_elsewhere_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    path = zipped(tmp_path / "in" / "a.zip", {"strategy.py": HONEST, name: "x = 1"})
    with pytest.raises(ArchiveError, match=HOSTILE_NAMES[name]):
        read(path)
    assert [item.name for item in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize(
    "names",
    [
        ("strategy.py", "strategy.py"),
        ("strategy.py", "Strategy.PY"),
        ("caf\u00e9.txt", "cafe\u0301.txt"),
        ("stra\u00dfe", "STRASSE"),
        ("a", "a/b"),
        ("a/b", "a"),
        ("A/b", "a/B"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_names_for_one_place_are_refused(names: tuple[str, str], tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        for name in names:
            made.writestr(raw(name), HONEST)
    with pytest.raises(ArchiveError, match=r"is there twice|in something that is a file"):
        read(tmp_path / "a.zip")


def test_a_folder_may_be_named_by_itself_and_by_what_is_in_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr(raw("work/bot.py"), HONEST)
        made.writestr(raw("work/", mode=stat.S_IFDIR | 0o755), "")
    assert read(tmp_path / "a.zip").submission.entry == "bot.py"


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK])
def test_links_and_devices_in_a_zip_are_refused(kind: int, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr("strategy.py", HONEST)
        made.writestr(raw("data", mode=kind | 0o777), "/etc/passwd")
    with pytest.raises(ArchiveError, match="a link or a device"):
        read(tmp_path / "a.zip")


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="without a password"):
        read(patched(zipped(tmp_path / "a.zip", {"strategy.py": HONEST}), 8, "<H", 1))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_may_want_gigabytes_are_refused(method: int, tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="an unusual way"):
        read(zipped(tmp_path / "a.zip", {"strategy.py": HONEST}, method))


def test_a_bomb_that_says_so_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="zip bomb"):
        read(zipped(tmp_path / "a.zip", {"strategy.py": HONEST, "data": bytes(8 << 20)}))


def test_many_files_that_are_too_much_together_are_refused(tmp_path: Path) -> None:
    files = {f"data{number}": bytes(900_000) for number in range(60)}
    with pytest.raises(ArchiveError, match="would unpack to 61 files"):
        read(zipped(tmp_path / "a.zip", {"strategy.py": HONEST, **files}))


def test_a_bomb_that_lies_about_its_size_never_unpacks(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"strategy.py": bytes(256 << 20)})
    patched(path, 24, "<I", 1000)  # the uncompressed size
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveError, match="is damaged"):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_too_many_entries_are_refused_before_they_are_listed(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"strategy.py": HONEST})
    content = path.read_bytes()
    start = content.index(b"PK\x01\x02")
    end = content.index(b"PK\x05\x06")
    table = content[start:end] * 200_000
    count = struct.pack("<HHII", 0xFFFF, 0xFFFF, len(table), start)
    path.write_bytes(content[:start] + table + content[end : end + 8] + count + b"\0\0")
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveError, match="over 4,000 files"):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip at all", b"PK\x05\x06" + b"\xff" * 18])
def test_what_is_no_zip_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises((ArchiveError, SubmissionError), match=r"a\.zip"):
        read(tmp_path / "a.zip")


def test_a_zip_cut_short_or_changed_is_refused(tmp_path: Path) -> None:
    whole = zipped(tmp_path / "a.zip", {"strategy.py": HONEST}).read_bytes()
    for place in range(0, len(whole), 3):
        (tmp_path / "a.zip").write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        # Some bytes, such as the time, mean nothing to us; then it is the same submission.
        with contextlib.suppress(ArchiveError, SubmissionError):
            assert read(tmp_path / "a.zip").submission.source == HONEST.encode()
        (tmp_path / "a.zip").write_bytes(whole[:place])
        with pytest.raises((ArchiveError, SubmissionError)):
            read(tmp_path / "a.zip")


def test_a_file_that_is_missing_is_a_mistake_in_words(tmp_path: Path) -> None:
    for name in ("a.py", "a.zip", "a"):
        with pytest.raises(SubmissionError, match="does not exist"):
            read(tmp_path / name)
