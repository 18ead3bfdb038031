"""How commands end: 2 for a user's mistake, 3 when the referee or the machine is at fault, a sentence for either."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

import click


class Mistake(click.ClickException):
    """The user's: what, where, what to do."""

    exit_code = 2


class Void(click.ClickException):
    """Ours or the machine's; nobody is blamed, and it can be tried again."""

    exit_code = 3

    def show(self, file: Any = None) -> None:
        click.echo(f"referee-error: {self.format_message()}", err=True)


class _Stopped(BaseException):
    """SIGTERM came; whatever is under way is put away on the way out."""


def sentence(error: ValueError) -> str:
    """What the rules or the limits say, as a sentence of its own."""
    text = str(error).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


@contextlib.contextmanager
def endings(after_stop: str = "No result.") -> Iterator[None]:
    """Turns what can go wrong in a command into its exit code; on any way out, nothing is left behind."""
    from referee.referee import RefereeError
    from sandbox import BoxError

    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    except ValueError as error:
        # Each of ours that a user can cause is one, with its sentence; any other is a fault of the program.
        if type(error).__module__.partition(".")[0] not in ("referee", "sandbox"):
            raise
        raise Mistake(str(error)) from error
    except (RefereeError, BoxError) as error:
        raise Void(str(error)) from error
    except BrokenPipeError:
        raise  # whoever read our output has had enough of it
    except OSError as error:
        raise Void(f"the machine does not let us: {error}") from error
    except KeyboardInterrupt:
        click.echo(f"\nStopped. {after_stop}", err=True)
        sys.exit(128 + signal.SIGINT)
    except _Stopped:
        click.echo(f"Stopped by SIGTERM. {after_stop}", err=True)
        sys.exit(128 + signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


def _stop(number: int, frame: Any) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough, and the way out takes a moment
    raise _Stopped
