"""Files: reading what is not theirs, writing where they may not, filling what they have."""

from __future__ import annotations

import hashlib
import os
import sysconfig
from pathlib import Path

from sandbox import Layer, Submission
from sandbox.wire import ENVIRONMENT
from tests.abuse.case import CONTAINED, HOSTILE, REFUSED, Case, Stage
from tests.abuse.tail import TAIL

FILES = frozenset({Layer.NAMESPACES, Layer.LANDLOCK})
WRITES = frozenset({Layer.NAMESPACES, Layer.LANDLOCK, Layer.UID})
NODES = frozenset({Layer.SECCOMP, Layer.LANDLOCK})
ATTRIBUTES = frozenset({Layer.SECCOMP, Layer.NAMESPACES})
NAMESPACES = frozenset({Layer.NAMESPACES})
SECCOMP = frozenset({Layer.SECCOMP})
RLIMITS = frozenset({Layer.RLIMITS})

MARK = "hostile-was-here"
LIBRARY = Path(sysconfig.get_path("stdlib"))


# What is laid out on the host for them to find


def readable_by_all(stage: Stage) -> list[str]:
    """A rival's file and a game's record that only the box keeps them from."""
    stage.folder.chmod(0o755)
    planted = [stage.folder / "rival.py", stage.folder / "game.jsonl"]
    for path in planted:
        path.write_text("SECRET = 'rival'\n")
        path.chmod(0o644)
    return [str(path) for path in planted]


def writable_by_all(stage: Stage) -> list[str]:
    """A file and a folder that anybody on the machine may write to."""
    stage.folder.chmod(0o777)
    path = stage.folder / "open.txt"
    path.write_text("untouched")
    path.chmod(0o666)
    return [str(path)]


def a_folder_writable_by_all(stage: Stage) -> list[str]:
    return [str(Path(path).parent) for path in writable_by_all(stage)]


def reference_players(stage: Stage) -> list[str]:
    return [str(path) for path in sorted(HOSTILE.parent.glob("*/*.py"))[:20]]


def names_of_our_variables(stage: Stage) -> list[str]:
    return sorted(set(os.environ) - {*ENVIRONMENT, "PYTHONHASHSEED", "TMPDIR"})


def a_rival_with_a_secret(stage: Stage) -> None:
    """It is loaded and asked before the hostile file's own worker gets its own; it lives on beside it."""
    path = stage.folder / "rival.py"
    path.write_text(f'SECRET = "rival\'s secret {"0123456789abcdef" * 2}"\ndef keep(view): global kept; kept = view\n')
    rival = stage.zygote.spawn(path)
    stage.neighbours.append(rival)
    rival.call("keep", f"rival's secret {'fedcba9876543210' * 2}")


def a_rival_with_a_folder(stage: Stage) -> list[str]:
    """Its files stand where its worker can read them, and only that."""
    folder = stage.folder / "rival"
    folder.mkdir()
    (folder / "strategy.py").write_text("def nothing(view): pass\n")
    (folder / "secret.txt").write_text("rival's secret")
    rival = stage.zygote.spawn(Submission.read(folder))
    stage.neighbours.append(rival)
    copies = stage.zygote._wire.temporary  # where there is no private mount
    return [f"{copies}/{rival.number}/secret.txt", f"{copies}/{rival.number}"] if copies else []


def as_a_folder(file: str) -> Case:
    """The same file, handed in as a folder's strategy.py."""

    def make(folder: Path) -> Path:
        made = folder / "bot"
        made.mkdir()
        (made / "strategy.py").write_text((HOSTILE / f"{file}.py").read_text() + TAIL)
        (made / "notes.txt").write_text("untouched")
        return made

    return Case(file, CONTAINED, WRITES, name="folder", make=make)


def paths_too_long(folder: Path) -> Path:
    """A folder whose files have longer paths than the kernel takes: placing them fails on our side of the wall."""
    top = folder / "bot"
    top.mkdir()
    (top / "strategy.py").write_text("def attack(): return None\n" + TAIL)
    place = os.open(top, os.O_RDONLY)
    for _ in range(16):
        os.mkdir("d" * 255, dir_fd=place)
        below = os.open("d" * 255, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = below
    os.close(os.open("x" * 200, os.O_CREAT | os.O_WRONLY, 0o644, dir_fd=place))
    os.close(place)
    return top


# What must be so afterwards


def nothing_written(stage: Stage) -> str | None:
    for place in (stage.folder, LIBRARY, *map(Path, ("/", "/tmp", "/var/tmp", "/dev/shm", "/root"))):
        if os.access(place, os.R_OK) and any(name.startswith(MARK) for name in os.listdir(place)):
            return f"there is a {MARK} in {place}"
    planted = stage.folder / "open.txt"
    if planted.exists() and planted.read_text() != "untouched":
        return f"{planted.name} was changed"
    return None


def library_as_it_was(stage: Stage) -> str | None:
    if hashlib.sha256((LIBRARY / "this.py").read_bytes()).hexdigest() != _this_py:
        return "this.py was changed"
    made = [path.name for path in LIBRARY.rglob("hostile_was_here*")] if LIBRARY.is_dir() else []
    return f"{made} in the library" if made else None


def no_scratch_on_the_host(stage: Stage) -> str | None:
    """Scratch is a mount of the worker's own: nothing of it may be seen from here."""
    return "there is a /scratch on the host" if os.path.exists("/scratch/tmp") else None


_this_py = hashlib.sha256((LIBRARY / "this.py").read_bytes()).hexdigest()

CASES = [
    # Reading
    Case("file_passwd", CONTAINED, FILES),
    Case("file_home", CONTAINED, FILES),
    Case("file_planted", CONTAINED, FILES, setup=readable_by_all),
    Case("file_reference_players", CONTAINED, FILES, setup=reference_players),
    Case("file_box", CONTAINED, FILES, setup=a_rival_with_a_folder),
    Case("file_proc", CONTAINED, FILES),
    Case("file_sys", CONTAINED, FILES),
    Case("file_devices", CONTAINED, FILES),
    Case("file_root_listing", CONTAINED, FILES),
    Case("file_parent_escape", CONTAINED, FILES),
    Case(
        "file_metadata",
        CONTAINED,
        NAMESPACES,
        why="Landlock and seccomp do not govern stat and chdir; in a private root there is nothing to see",
        setup=readable_by_all,
    ),
    Case("file_handle", CONTAINED, frozenset({Layer.SECCOMP, Layer.NAMESPACES, Layer.UID})),
    Case("file_inherited_descriptors", CONTAINED),
    Case("file_environment", CONTAINED, setup=names_of_our_variables),
    Case("file_memory_left_over", CONTAINED, setup=a_rival_with_a_secret),
    # Writing
    Case("file_write_library", CONTAINED, WRITES, check=library_as_it_was),
    Case("file_write_anywhere", CONTAINED, FILES, setup=a_folder_writable_by_all, check=nothing_written),
    Case("file_write_submission", CONTAINED, WRITES),
    as_a_folder("file_write_submission"),
    Case("file_mapped_library", CONTAINED, WRITES),
    Case("file_truncate", CONTAINED, WRITES | SECCOMP, setup=writable_by_all, check=nothing_written),
    Case("file_attributes", CONTAINED, ATTRIBUTES, setup=writable_by_all),
    Case("file_symlink", CONTAINED, NODES | NAMESPACES, setup=writable_by_all, check=nothing_written),
    Case("file_hardlink", CONTAINED, NODES | NAMESPACES, setup=writable_by_all),
    Case("file_fifo", CONTAINED, NODES),
    Case("file_device_node", CONTAINED, NODES),
    Case("file_whiteout", CONTAINED, SECCOMP, why="Landlock is not asked for the node that a renaming leaves"),
    Case("file_socket_in_scratch", CONTAINED, NODES),
    # Filling
    Case(
        "file_scratch_bytes",
        CONTAINED,
        NAMESPACES,
        why="the size of the mount; without one there is no scratch",
        check=no_scratch_on_the_host,
    ),
    Case(
        "file_scratch_inodes",
        CONTAINED,
        NAMESPACES,
        why="the inodes of the mount; without one there is no scratch",
        check=no_scratch_on_the_host,
    ),
    Case("file_scratch_sparse", CONTAINED, RLIMITS, why="a mount counts the pages that are there, not the size"),
    Case("file_scratch_allocate", CONTAINED, SECCOMP | RLIMITS | NAMESPACES),
    Case("file_scratch_deep", CONTAINED, check=no_scratch_on_the_host),
    Case("file_scratch_names", CONTAINED, check=no_scratch_on_the_host),
    Case("file_library_from_scratch", CONTAINED, NAMESPACES, why="the mount is noexec; without it, no scratch"),
    Case("file_descriptors_used_up", CONTAINED, RLIMITS, why="nothing else counts descriptors"),
    # The machine's disk and cache
    Case("file_sync", CONTAINED, SECCOMP, why="anybody may ask for it, of any file that is open"),
    Case("file_evict", CONTAINED, SECCOMP, why="anybody may ask for it, of any file that is open"),
    # Before it runs
    Case("file_paths_too_long", (REFUSED, CONTAINED), make=paths_too_long),
]
