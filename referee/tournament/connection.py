"""The way to a Dask cluster: is there a scheduler, are there workers, and do they have what we have?"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from referee.tournament.chunk import difference, versions

if TYPE_CHECKING:
    from distributed import Client

_PATIENCE = 8.0  # seconds for the scheduler to answer, and for a first worker to be there
_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?(\[[0-9a-fA-F:.%]+\]|[^\s/:\[\]]+)(:[0-9]{1,5})?")


class ClusterError(ValueError):
    """The user's mistake, in a sentence: what, where, what to do."""


def checked(address: str) -> str:
    """The address of a scheduler, if it can be one and there is what talks to it."""
    if not _ADDRESS.fullmatch(address):
        raise ClusterError(f"{address!r} is no address of a scheduler; write it as tcp://host:8786 (or tls://).")
    try:
        import distributed  # noqa: F401  # slow: not before it is needed
    except ImportError:
        raise ClusterError("For a cluster an extra must be installed: pip install 'referee[cluster]'.") from None
    return address


@contextlib.contextmanager
def connected(address: str) -> Iterator[Client]:
    """A client of the scheduler there, which has workers that play as we would."""
    with _quiet():
        try:
            client = _client(checked(address))
        except OSError as error:
            said = f" ({error})" if str(error) else ""
            raise ClusterError(
                f"No scheduler answers at {address}{said}; start one with `dask scheduler`, and workers with "
                f"`referee cluster worker {address}`."
            ) from error
        try:
            _meet(client, address)
            yield client
        finally:
            client.close(timeout=2)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What goes wrong is said by us, once and in a sentence."""
    log = logging.getLogger("distributed")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        log.setLevel(level)


def _client(address: str) -> Client:
    from distributed import Client

    _greet(address)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of versions: we are stricter where it matters
        return Client(address, timeout=_PATIENCE, set_as_default=False)


def _greet(address: str) -> None:
    """Is it a scheduler? Dask's client would wait for ever for the answer of something else."""
    from distributed import Security, rpc

    secrets = Security().get_connection_args("client")
    if address.startswith(("tls:", "wss:")) and secrets.get("ssl_context") is None:
        raise ClusterError(
            f"For {address} Dask must be told of your certificates: set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
            "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY."
        )

    async def identity() -> str:
        async with rpc(address, connection_args=secrets) as scheduler:
            return str((await scheduler.identity())["type"])

    async def in_time() -> str:
        return await asyncio.wait_for(identity(), _PATIENCE)

    with ThreadPoolExecutor(1) as thread:  # the caller may be in a loop of its own: a notebook is
        kind = thread.submit(asyncio.run, in_time()).result()
    if kind != "Scheduler":
        raise ClusterError(f"At {address} there is a {kind.lower()}; give the address of its scheduler.")


def _meet(client: Client, address: str) -> None:
    """It must not matter which of the workers plays a match. The scheduler unpacks what passes through it."""
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        raise ClusterError(
            f"The scheduler at {address} has no workers; start some with `referee cluster worker {address}`."
        ) from None
    try:
        theirs = client.run_on_scheduler(versions)
    except (ImportError, AttributeError) as error:
        theirs = error
    _compare(f"scheduler at {address}", theirs)
    for worker, its in client.run(versions, on_error="return").items():
        if not isinstance(its, OSError):  # that one has left meanwhile
            _compare(f"worker at {worker}", its)


def _compare(who: str, theirs: dict[str, str] | Exception) -> None:
    differs = "another referee, or none" if isinstance(theirs, Exception) else difference(theirs, versions())
    if differs:
        raise ClusterError(f"The {who} has {differs}: install there what is here, and start it anew.")
