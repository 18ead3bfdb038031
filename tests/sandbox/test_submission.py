"""A submission is read whole or refused with a sentence; nothing in it makes the reader wait or stray."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import socket
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sandbox.submission import Submission, SubmissionError

CODE = b"def movement(view):\n    return view.legal_moves()[0]\n"


@pytest.fixture(autouse=True)
def no_descriptor_is_left_open() -> Iterator[None]:
    before = len(os.listdir("/dev/fd"))
    yield
    assert len(os.listdir("/dev/fd")) == before


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "mine"
    path.mkdir()
    (path / "strategy.py").write_bytes(CODE)
    return path


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    path = tmp_path / "outside"
    path.mkdir()
    (path / "secret").write_bytes(b"not yours")
    return path


def sparse(path: Path, size: int) -> Path:
    with path.open("wb") as file:
        file.truncate(size)
    return path


def refusal(path: str | os.PathLike[str]) -> str:
    with pytest.raises(SubmissionError) as caught:
        Submission.read(path)
    sentence = str(caught.value)
    assert sentence.isprintable(), "a sentence must not carry a stranger's control characters to the terminal"
    assert ";" in sentence, "a sentence says what is wrong; and what to do"
    assert sentence.endswith(".")
    return sentence


# Reading


def test_a_file_is_read_whole_and_its_hash_is_what_sha256sum_prints(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_bytes(CODE)
    digest = hashlib.sha256(CODE).hexdigest()
    assert Submission.read(path) == Submission("bot", "bot.py", {"bot.py": CODE}, False, digest)
    assert Submission.read(str(path)).source == CODE


def test_what_python_could_not_compile_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_bytes(b"\xff\0 def")
    assert Submission.read(path).source == b"\xff\0 def"


def test_a_folder_is_read_with_its_data_in_sorted_order(folder: Path) -> None:
    for name in ("z.txt", "a/b.txt", "a.txt", "a/c/d.bin", "B"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    read = Submission.read(folder)
    assert (read.name, read.entry, read.is_folder, read.source) == ("mine", "strategy.py", True, CODE)
    assert list(read.files) == ["B", "a.txt", "a/b.txt", "a/c/d.bin", "strategy.py", "z.txt"]
    assert read.files["a/c/d.bin"] == b"a/c/d.bin"


def test_a_submission_cannot_be_changed_and_does_not_follow_the_disk(folder: Path) -> None:
    read = Submission.read(folder)
    with pytest.raises(AttributeError):
        read.sha256 = "0" * 64  # type: ignore[misc]  # the point of the test
    (folder / "strategy.py").write_bytes(b"changed after the check")
    assert read.source == CODE
    assert Submission.read(folder).sha256 != read.sha256


def test_a_submission_survives_the_wire(folder: Path) -> None:
    read = Submission.read(folder)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(read), type=Submission) == read


def test_the_path_the_user_gives_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    (tmp_path / "bot.py").symlink_to(folder / "strategy.py")
    assert Submission.read(tmp_path / "link").files == {"strategy.py": CODE}
    assert Submission.read(tmp_path / "bot.py").entry == "bot.py"


@pytest.mark.parametrize("path", [".", "./", "../mine", "../mine/"])
def test_a_folder_has_its_own_name_however_the_path_is_written(
    folder: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert Submission.read(path).name == "mine"


def test_caches_and_hidden_files_are_left_out_unseen(folder: Path) -> None:
    alone = Submission.read(folder)
    hidden = (".git/config", "__pycache__/x.txt", ".hidden.py", "old.pyc", "lib/.DS_Store", ".\n", "a\n.pyc")
    for name in hidden:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"x")
    (folder / ".#strategy.py").symlink_to("an editor's lock")
    sparse(folder / ".git" / "pack", 50_000_000)
    assert Submission.read(folder) == alone


# The hash of a folder


def test_the_hash_of_a_folder_covers_names_and_contents_with_their_lengths(folder: Path) -> None:
    (folder / "a").write_bytes(b"bc")
    listed = b"".join(len(x).to_bytes(8, "big") + x for x in (b"a", b"bc", b"strategy.py", CODE))
    assert Submission.read(folder).sha256 == hashlib.sha256(listed).hexdigest()


def test_bytes_shifted_between_files_or_names_change_the_hash(tmp_path: Path) -> None:
    contents = [
        {"a": b"bc", "d": b""},
        {"a": b"b", "d": b"c"},
        {"ab": b"c", "d": b""},
        {"abcd": b""},
        {"a": b"bcd"},
        {"a/bc": b"d"},
    ]
    hashes = set()
    for index, files in enumerate(contents):
        for name, content in {"strategy.py": CODE, **files}.items():
            path = tmp_path / str(index) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        hashes.add(Submission.read(tmp_path / str(index)).sha256)
    assert len(hashes) == len(contents)


def test_a_folder_and_the_same_file_alone_have_different_hashes(folder: Path) -> None:
    assert Submission.read(folder).sha256 != Submission.read(folder / "strategy.py").sha256


# Names


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("my bot.py", "my bot"),
        ("  my   bot .py", "my bot"),
        ("Žofie.py", "Žofie"),
        ("Z\u030cofie.py", "Žofie"),
        ("evil\x1b[31m.py", "evil\\x1b[31m"),
        ("two\nlines.py", "two\\nlines"),
        ("alice\u200b.py", "alice\\u200b"),
        ("alice\u3164.py", "alice\\u3164"),
        ("\u202eecila.py", "\\u202eecila"),
        ("..dots...py", "dots"),
        (" .py", "unnamed"),
        ("x" * 100 + ".py", "x" * 40),
    ],
)
def test_a_display_name_shows_what_would_not_draw_and_hides_what_would_not_differ(
    tmp_path: Path, file: str, name: str
) -> None:
    (tmp_path / file).write_bytes(CODE)
    assert Submission.read(tmp_path / file).name == name


@given(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_no_file_name_reaches_a_terminal_raw(stem: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, f"{stem}.py")
        try:
            path.write_bytes(CODE)
        except OSError:  # too long, or not a name on this file system
            assume(False)
        if set(stem) == {"."}:
            return  # "...py" has no suffix
        read = Submission.read(path)
    assert read.name.isprintable()
    assert 0 < len(read.name) <= 40
    assert "/" not in read.name
    assert not read.name.startswith(".")
    assert read.entry.isprintable()
    assert read.entry.endswith(".py")
    assert read.source == CODE


def test_a_file_whose_name_is_not_utf8_is_read_under_an_escaped_name(tmp_path: Path) -> None:
    path = os.path.join(os.fsencode(tmp_path), b"b\xff.py")
    try:
        Path(os.fsdecode(path)).write_bytes(CODE)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert Submission.read(os.fsdecode(path)).entry == "b\\udcff.py"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"a\xffb", "a\\udcffb"),
        (b"a\x1b[2Jb", "a\\x1b[2Jb"),
        (b"a\nb", "a\\nb"),
        ("a\u202eyp.b".encode(), "a\\u202eyp.b"),
        ("a\u200eb".encode(), "a\\u200eb"),
        ("a\u3164b".encode(), "a\\u3164b"),
    ],
)
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_name_inside_a_folder_that_cannot_be_shown_is_refused_escaped(
    folder: Path, name: bytes, shown: str, kind: str
) -> None:
    path = os.fsencode(folder) + b"/" + name
    try:
        Path(os.fsdecode(path)).touch() if kind == "file" else os.mkdir(path)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert f"mine/{shown} has characters in its name that cannot be shown" in refusal(folder)


# Paths that are no submission


def test_an_empty_path_is_refused() -> None:
    assert refusal("").startswith("The path is empty;")


def test_a_path_with_a_null_character_is_refused() -> None:
    assert "bot\\x00.py cannot be a path, it has a null character" in refusal("bot\0.py")


def test_a_path_that_is_not_text_is_refused() -> None:
    assert "bot\\ud800.py cannot be a path, it is not text" in refusal("bot\ud800.py")


def test_a_missing_path_is_refused(tmp_path: Path) -> None:
    assert "nobody.py does not exist" in refusal(tmp_path / "nobody.py")


def test_a_path_below_a_file_is_refused(folder: Path) -> None:
    assert "cannot be read (Not a directory)" in refusal(folder / "strategy.py" / "bot.py")


def test_a_dangling_link_and_a_loop_of_links_are_refused(tmp_path: Path) -> None:
    (tmp_path / "dangling.py").symlink_to("nowhere")
    (tmp_path / "loop.py").symlink_to("loop.py")
    assert "dangling.py does not exist" in refusal(tmp_path / "dangling.py")
    assert "loop.py cannot be read" in refusal(tmp_path / "loop.py")


@pytest.mark.parametrize("name", ["notes.txt", "bot.PY", "bot.pyc", "bot", ".py"])
def test_a_file_that_is_not_python_is_refused_with_what_is_expected(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(CODE)
    sentence = refusal(tmp_path / name)
    assert f"{name} is not a Python file" in sentence
    assert "ends in .py, or a folder with strategy.py" in sentence


@pytest.mark.timeout(10)
def test_a_fifo_is_refused_without_blocking(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bot.py")
    assert "bot.py is a pipe (FIFO)" in refusal(tmp_path / "bot.py")


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path may have some hundred bytes only
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("bot.py")
        assert "bot.py is a socket" in refusal("bot.py")


@pytest.mark.timeout(10)
@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero", "/dev/tty"])
def test_a_device_is_refused(tmp_path: Path, device: str) -> None:
    (tmp_path / "bot.py").symlink_to(device)
    assert "bot.py is a device" in refusal(tmp_path / "bot.py")


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A place where permissions count, which they do not for root."""
    root = os.geteuid() == 0
    if root:
        try:
            os.seteuid(65534)
        except OSError:
            pytest.skip("root here cannot become anybody else")
    place = Path(tempfile.mkdtemp(dir="/tmp"))
    yield place
    if root:
        os.seteuid(0)
    for path in (place / "shut", place / "mine", place / "mine" / "shut"):
        if path.is_dir():
            path.chmod(0o700)
    shutil.rmtree(place)


def test_a_file_without_read_permission_is_refused(unprivileged: Path) -> None:
    path = unprivileged / "bot.py"
    path.write_bytes(CODE)
    path.chmod(0)
    assert "bot.py may not be read" in refusal(path)


def test_a_folder_without_read_permission_is_refused(unprivileged: Path) -> None:
    (unprivileged / "shut").mkdir(mode=0)
    assert "shut may not be read" in refusal(unprivileged / "shut")


def test_a_folder_that_may_be_listed_but_not_entered_is_refused(unprivileged: Path) -> None:
    (unprivileged / "mine").mkdir()
    (unprivileged / "mine" / "strategy.py").write_bytes(CODE)
    (unprivileged / "mine").chmod(0o400)
    assert "mine/strategy.py may not be read" in refusal(unprivileged / "mine")


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_may_not_be_read_inside_a_folder_is_refused_by_name(unprivileged: Path, kind: str) -> None:
    mine = unprivileged / "mine"
    mine.mkdir()
    (mine / "strategy.py").write_bytes(CODE)
    (mine / "shut").touch(mode=0) if kind == "file" else (mine / "shut").mkdir(mode=0)
    assert "mine/shut may not be read" in refusal(mine)


# Folders


def test_a_folder_without_strategy_py_is_refused_before_its_files_are_read(tmp_path: Path) -> None:
    sparse(tmp_path / "bot.py", 50_000_000)
    assert f"{tmp_path}/ has no strategy.py" in refusal(tmp_path)


def test_a_strategy_py_further_down_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "strategy.py").write_bytes(CODE)
    assert "has no strategy.py" in refusal(tmp_path)


def test_a_folder_named_strategy_py_is_refused(tmp_path: Path) -> None:
    (tmp_path / "strategy.py").mkdir()
    assert "strategy.py is a folder" in refusal(tmp_path)


@pytest.mark.parametrize("target", ["strategy.py", "../outside/secret", "../outside", "nowhere", "link", "/"])
@pytest.mark.parametrize("place", ["", "sub/"])
def test_a_link_inside_a_folder_is_refused_wherever_it_leads(
    folder: Path, outside: Path, target: str, place: str
) -> None:
    (folder / "sub").mkdir()
    (folder / place / "link").symlink_to(target)
    assert f"mine/{place}link is a link" in refusal(folder)


def test_a_strategy_py_that_is_a_link_is_refused(folder: Path) -> None:
    (folder / "strategy.py").rename(folder / "other.py")
    (folder / "strategy.py").symlink_to("other.py")
    assert "mine/strategy.py is a link" in refusal(folder)


@pytest.mark.timeout(10)
def test_a_fifo_inside_a_folder_is_refused_without_blocking(folder: Path) -> None:
    os.mkfifo(folder / "data")
    assert "mine/data is a pipe (FIFO)" in refusal(folder)


def test_a_socket_inside_a_folder_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("data")
        assert "mine/data is a socket" in refusal(folder)


def test_a_device_inside_a_folder_is_refused(folder: Path) -> None:
    try:
        os.mknod(folder / "data", 0o20666, os.makedev(1, 5))  # S_IFCHR, /dev/zero
    except OSError:
        pytest.skip("this user may not make devices")
    assert "mine/data is a device" in refusal(folder)


# Sizes


def test_a_megabyte_of_source_is_read_and_one_byte_more_is_refused(tmp_path: Path) -> None:
    assert len(Submission.read(sparse(tmp_path / "bot.py", 1_000_000)).source) == 1_000_000
    sentence = refusal(sparse(tmp_path / "bot.py", 1_000_001))
    assert "with 1,000,001 bytes, goes over the 1,000,000 bytes of Python source" in sentence


@pytest.mark.parametrize("inside", [False, True])
def test_a_50_mb_file_is_refused_from_its_size_without_reading_it(folder: Path, inside: bool) -> None:
    big = sparse(folder / "big.py", 50_000_000)
    tracemalloc.start()
    sentence = refusal(folder if inside else big)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "big.py, with 50,000,000 bytes, goes over" in sentence
    assert peak < 500_000


def test_source_in_a_folder_is_limited_in_all(folder: Path) -> None:
    sparse(folder / "a.py", 600_000)
    (folder / "sub").mkdir()
    sparse(folder / "sub" / "b.py", 400_000 - len(CODE))
    assert len(Submission.read(folder).files) == 3
    sparse(folder / "sub" / "b.py", 400_000 - len(CODE) + 1)
    assert "mine/sub/b.py" in refusal(folder)


def test_data_in_a_folder_is_limited_in_all_and_apart_from_source(folder: Path) -> None:
    sparse(folder / "a.py", 900_000)
    sparse(folder / "a", 9 * 1024 * 1024)
    sparse(folder / "b", 7 * 1024 * 1024)
    assert sum(map(len, Submission.read(folder).files.values())) == 900_000 + 16 * 1024 * 1024 + len(CODE)
    (folder / "c").write_bytes(b"x")
    assert "mine/c, with 1 bytes, goes over the 16,777,216 bytes of data" in refusal(folder)


def test_a_thousand_files_are_read_and_one_more_is_refused(folder: Path) -> None:
    (folder / "sub").mkdir()
    for index in range(999):
        (folder / "sub" / f"{index}").touch()
    assert len(Submission.read(folder).files) == 1_000
    (folder / "z").touch()
    assert "mine/ holds over 1,000 files or folders" in refusal(folder)


@pytest.mark.parametrize("count", [1_001, 3_000])
def test_more_than_a_thousand_empty_folders_are_refused(folder: Path, count: int) -> None:
    for index in range(count):
        (folder / f"{index}").mkdir()
    assert "mine/ holds over 1,000 files or folders" in refusal(folder)


def test_a_folder_too_large_to_list_is_called_too_large_and_not_incomplete(tmp_path: Path) -> None:
    for index in range(2_001):
        (tmp_path / f"{index}").touch()
    assert "holds over 1,000 files or folders" in refusal(tmp_path)


def test_sixteen_nested_folders_are_read_and_one_more_is_refused(folder: Path) -> None:
    deepest = folder.joinpath(*"abcdefghijklmnop")
    deepest.mkdir(parents=True)
    (deepest / "data").write_bytes(b"x")
    assert Submission.read(folder).files["a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/data"] == b"x"
    (deepest / "q").mkdir()
    assert "/p/q is nested deeper than 16 folders" in refusal(folder)


# Files that change while they are read


def before(monkeypatch: pytest.MonkeyPatch, call: str, name: str | None, act: Callable[[], object]) -> None:
    """Does `act` once, just before `os.call` (of `name`, where one is given): the worst moment for a swap."""
    real, waiting = getattr(os, call), [act]

    def late(target: Any, *args: Any, **kwargs: Any) -> Any:
        if waiting and name in (None, target):
            waiting.pop()()
        return real(target, *args, **kwargs)

    monkeypatch.setattr(os, call, late)


def replace(path: Path, make: Callable[[Path], object]) -> Callable[[], None]:
    def act() -> None:
        path.rename(path.with_name(f".{path.name}"))
        make(path)

    return act


@pytest.mark.timeout(10)
def test_a_file_swapped_for_a_fifo_is_refused_without_blocking(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_bytes(CODE)
    before(monkeypatch, "open", str(tmp_path / "bot.py"), replace(tmp_path / "bot.py", os.mkfifo))
    assert "bot.py is a pipe (FIFO)" in refusal(tmp_path / "bot.py")
    before(monkeypatch, "open", "strategy.py", replace(folder / "strategy.py", os.mkfifo))
    assert "strategy.py is a pipe (FIFO)" in refusal(folder)


@pytest.mark.parametrize(("kind", "target"), [("file", "secret"), ("folder", "")])
def test_what_is_swapped_for_a_link_after_the_look_is_refused(
    folder: Path, outside: Path, kind: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "data").touch() if kind == "file" else (folder / "data").mkdir()
    swap = replace(folder / "data", lambda path: path.symlink_to(outside / target))
    before(monkeypatch, "open", "data", swap)
    assert "mine/data cannot be read" in refusal(folder)


def test_a_folder_swapped_for_a_link_in_mid_walk_leads_nowhere(
    folder: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "secret").write_bytes(b"my own")
    before(monkeypatch, "open", "secret", replace(folder / "sub", lambda path: path.symlink_to(outside)))
    assert Submission.read(folder).files["sub/secret"] == b"my own"


def test_a_file_removed_after_the_listing_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "data").touch()
    before(monkeypatch, "stat", "data", (folder / "data").unlink)
    assert "mine/data was removed while it was read" in refusal(folder)


def test_a_file_that_grows_after_its_size_was_taken_is_read_to_the_limit_and_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bot.py"
    path.write_bytes(CODE)
    before(monkeypatch, "read", None, lambda: sparse(path, 50_000_000))
    assert "bot.py, with 1,000,001 bytes, goes over" in refusal(path)


def test_a_failing_disk_is_reported_with_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError(errno.EIO, "Input/output error")

    before(monkeypatch, "read", None, fail)
    assert "mine/strategy.py cannot be read (Input/output error)" in refusal(folder)


def test_a_machine_out_of_descriptors_is_not_blamed_on_the_submission(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    before(monkeypatch, "open", "strategy.py", fail)
    with pytest.raises(OSError, match="Too many open files"):
        Submission.read(folder)
