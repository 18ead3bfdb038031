"""`referee cluster worker ADDRESS`: this machine plays matches of tournaments that are run elsewhere."""

from __future__ import annotations

import os
import socket
import sys

import click

from referee.cli.endings import endings

EPILOG = """
\b
Examples:
  dask scheduler                                      on one machine: it says its address
  referee cluster worker tcp://10.0.0.5:8786          on each machine that is to play
  referee tournament fish submissions/ --cluster tcp://10.0.0.5:8786
\b
  referee cluster worker tls://10.0.0.5:8786 -- --tls-ca-file ca.pem --tls-cert w.pem --tls-key w.key
"""
# Nothing that costs a game time: Dask would look at the stack of the playing thread a hundred times a second.
_SETTINGS = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}
_DEATH_TIMEOUT = 60  # seconds to wait for a scheduler


@click.group()
def command() -> None:
    """Play tournaments on many machines, with Dask.

    Whoever reaches the scheduler or a worker can run code there: keep them in a network that you trust, or use
    tls:// addresses with certificates of your own.
    """


@command.command(epilog=EPILOG)
@click.argument("address")
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="J", help="Games played side by side here.  [default: one a core]"
)
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[-- OPTIONS OF DASK WORKER]")
def worker(address: str, jobs: int | None, options: tuple[str, ...]) -> None:
    """Let this machine play for the scheduler at ADDRESS, as tcp://10.0.0.5:8786.

    Starts a process a core, each with one game at a time; one that dies is replaced. It waits a minute for the
    scheduler to be there, and ends with it, or by Ctrl-C. All machines, the scheduler's too, must have the same
    versions of Python and of the referee. `referee doctor` says whether this one may run strangers' code.

    Whoever reaches the scheduler or a worker can run code there: keep them in a network that you trust, or use
    tls:// addresses with certificates of your own.
    """
    with endings():
        from referee.tournament.chunk import NUMBERED
        from referee.tournament.connection import checked

        checked(address)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        count = jobs or cores
        name = f"{socket.gethostname()}-{os.getpid()}"
        if count >= cores:  # with fewer, the kernel knows best which cores are idle
            name += f"{NUMBERED}0" if count == 1 else NUMBERED.rstrip("-")  # Dask adds the number to several
        words = {
            "--nworkers": count,
            "--nthreads": 1,
            "--memory-limit": 0,  # the box has limits of its own; Dask's would pause a worker or kill it
            "--death-timeout": _DEATH_TIMEOUT,
            "--name": name,
            "--preload": "referee.tournament.chunk",
        }
        arguments = [str(part) for pair in words.items() for part in pair]
        # -P: a file of the folder we are in may be called like a module of Dask's.
        start = [sys.executable, "-P", "-m", "distributed.cli.dask_worker", address, "--no-dashboard"]
        os.execve(sys.executable, [*start, *arguments, *options], {**os.environ, **_SETTINGS})
