"""The kernel: sockets, other processes, namespaces, other ways to make system calls, side channels."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from pathlib import Path

from sandbox import Layer
from tests.abuse.case import CONTAINED, Case, Stage

SECCOMP = frozenset({Layer.SECCOMP})
NETWORK = frozenset({Layer.SECCOMP, Layer.NAMESPACES})
TCP = NETWORK | {Layer.LANDLOCK}
OTHERS = frozenset({Layer.SECCOMP, Layer.NAMESPACES, Layer.LANDLOCK, Layer.UID})  # reaching another process
POWERS = frozenset({Layer.SECCOMP, Layer.NAMESPACES})  # in its user namespace it has none

_sockets: dict[Path, list[socket.socket]] = {}  # by the folder of the stage


# What is laid out on the host for them to reach


def listening(kind: socket.SocketKind) -> Callable[[Stage], list[int]]:
    """A socket of ours on the loopback; its port is the target."""

    def setup(stage: Stage) -> list[int]:
        ours = socket.socket(socket.AF_INET, kind)
        ours.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            ours.listen()
        ours.setblocking(False)
        _sockets[stage.folder] = [ours]
        return [ours.getsockname()[1]]

    return setup


def listening_by_name(stage: Stage) -> list[str]:
    """Sockets of ours with a path that anybody may use, and with an abstract name."""
    stage.folder.chmod(0o755)
    names = [str(stage.folder / "daemon.sock"), f"\0{stage.folder.name}"]
    _sockets[stage.folder] = []
    for name in names:
        ours = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        ours.bind(name)
        ours.listen()
        ours.setblocking(False)
        _sockets[stage.folder].append(ours)
    (stage.folder / "daemon.sock").chmod(0o666)
    return names


def nothing_arrived(stage: Stage) -> str | None:
    complaint = None
    for ours in _sockets.pop(stage.folder, []):
        with contextlib.suppress(BlockingIOError):
            if ours.type == socket.SOCK_DGRAM:
                complaint = f"a datagram arrived: {ours.recv(100)!r}"
            else:
                ours.accept()[0].close()
                complaint = "it connected"
        ours.close()
    return complaint


def a_rival(stage: Stage) -> list[int]:
    """A worker beside it; its host pid is the target, which means something only without a pid namespace."""
    path = stage.folder / "rival.py"
    path.write_text("def here(view): return 'here'\n")
    rival = stage.zygote.spawn(path)
    stage.neighbours.append(rival)
    return [rival.pid]


def a_rival_and_the_zygote(stage: Stage) -> list[int]:
    return [*a_rival(stage), stage.zygote.pid]


def zygote_lives(stage: Stage) -> str | None:
    """It still makes workers."""
    stage.zygote.spawn(lambda: None, name="nobody").kill()
    return None


def only_seccomp(file: str, why: str) -> Case:
    return Case(file, CONTAINED, SECCOMP, why=why)


CASES = [
    # Sockets
    Case("kernel_tcp", CONTAINED, TCP, setup=listening(socket.SOCK_STREAM), check=nothing_arrived),
    Case("kernel_udp", CONTAINED, NETWORK, setup=listening(socket.SOCK_DGRAM), check=nothing_arrived),
    Case("kernel_unix_socket", CONTAINED, NETWORK, setup=listening_by_name, check=nothing_arrived),
    Case("kernel_listen", CONTAINED, frozenset({Layer.SECCOMP, Layer.LANDLOCK})),
    Case("kernel_netlink", CONTAINED, NETWORK),
    Case("kernel_raw_socket", CONTAINED, NETWORK),
    only_seccomp("kernel_vsock", "this family has no namespaces"),
    only_seccomp("kernel_socket_families", "a socket that reaches nothing can be made in any namespace"),
    # Other processes
    Case("kernel_ptrace", CONTAINED, OTHERS, setup=a_rival_and_the_zygote, check=zygote_lives),
    Case("kernel_process_memory", CONTAINED, OTHERS, setup=a_rival_and_the_zygote),
    Case("kernel_pidfd", CONTAINED, OTHERS, setup=a_rival_and_the_zygote, check=zygote_lives),
    Case("kernel_signal_by_pipe", CONTAINED, OTHERS, setup=a_rival_and_the_zygote, check=zygote_lives),
    Case("kernel_rivals_clock", CONTAINED, NETWORK, setup=a_rival),
    Case("kernel_parents_child", CONTAINED, NETWORK, check=zygote_lives),
    Case(
        "kernel_pid_oracle",
        CONTAINED,
        frozenset({Layer.NAMESPACES}),
        why="threads ask sched_getaffinity by numbers that no filter can know",
        setup=a_rival,
    ),
    only_seccomp("kernel_traceme", "a process may ask to be traced by its parent"),
    # Powers
    Case("kernel_user_namespace", CONTAINED, POWERS),
    Case("kernel_other_namespaces", CONTAINED, POWERS),
    Case("kernel_setns", CONTAINED, POWERS),
    Case("kernel_mount", CONTAINED, POWERS | {Layer.LANDLOCK}),
    Case("kernel_chroot", CONTAINED, POWERS),
    Case("kernel_capabilities", CONTAINED, POWERS | {Layer.UID}),
    Case("kernel_machine", CONTAINED, POWERS | {Layer.UID}),
    Case("kernel_nice", CONTAINED, frozenset({Layer.SECCOMP, Layer.RLIMITS})),
    Case("kernel_lock_memory", CONTAINED, frozenset({Layer.SECCOMP, Layer.RLIMITS})),
    Case("kernel_pointer_high_word", CONTAINED, frozenset({Layer.SECCOMP, Layer.RLIMITS})),
    only_seccomp("kernel_affinity", "any process may choose its cores"),
    only_seccomp("kernel_prctl", "any process may change these of itself"),
    only_seccomp("kernel_personality", "any process may change its own"),
    # Other ways to make system calls
    only_seccomp("kernel_clone3", "its flags lie in memory: the call itself must be missing"),
    only_seccomp("kernel_x32", "a table of numbers of its own"),
    only_seccomp("kernel_int80", "a table of numbers of its own"),
    # Large or delicate parts of the kernel
    Case("kernel_io_uring", CONTAINED, frozenset(Layer) - {Layer.UID}),
    only_seccomp("kernel_bpf", "else a switch of the host's decides (kernel.unprivileged_bpf_disabled)"),
    only_seccomp("kernel_perf", "else a switch of the host's decides (kernel.perf_event_paranoid)"),
    only_seccomp("kernel_keys", "key rings are not files"),
    only_seccomp("kernel_userfaultfd", "any process may have one for itself"),
    only_seccomp("kernel_memfd", "such a file has no path that Landlock could know"),
    only_seccomp("kernel_memfd_exec", "such a file has no path that Landlock could know"),
    only_seccomp("kernel_modify_ldt", "any process may change its own"),
    only_seccomp("kernel_splice", "any process may, with descriptors it has"),
    only_seccomp("kernel_nested_locks", "any process may lock itself in further"),
    only_seccomp("kernel_log", "else a switch of the host's decides (kernel.dmesg_restrict)"),
    only_seccomp("kernel_timers", "any process may have some"),
    only_seccomp("kernel_membarrier", "any process may ask for it"),
    only_seccomp("kernel_memory_policy", "any process may change its own"),
    only_seccomp("kernel_list_mounts", "a process may see its own mounts"),
    Case("kernel_terminal", CONTAINED, frozenset({Layer.SECCOMP, Layer.NAMESPACES, Layer.LANDLOCK})),
    # Channels to other workers
    Case("kernel_sysv", CONTAINED, NETWORK),
    Case("kernel_message_queue", CONTAINED, frozenset({Layer.SECCOMP, Layer.RLIMITS, Layer.LANDLOCK})),
    only_seccomp("kernel_locks", "Landlock does not govern locks, and libraries are shared by all"),
    only_seccomp("kernel_futex_channel", "libraries are shared by all"),
    only_seccomp("kernel_watch_files", "Landlock does not govern watches, and libraries are shared by all"),
]
