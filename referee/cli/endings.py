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


_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Stopped(BaseException):
    """A signal came; whatever is under way is put away on the way out."""

    def __init__(self, number: int) -> None:
        self.number = number


def sentence(error: ValueError) -> str:
    """What the rules or the limits say, as a sentence of its own."""
    text = str(error).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


@contextlib.contextmanager
def endings(after_stop: str = "No result.") -> Iterator[None]:
    """Turns what can go wrong in a command into its exit code; on any way out, nothing is left behind."""
    from referee.referee import RefereeError
    from sandbox import BoxError

    # What is ignored from the start (nohup, a job in the background) stays so.
    heeded = [number for number in _STOPS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _stop) for number in heeded}
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
    except _Stopped as stopped:
        click.echo(f"Stopped by {signal.Signals(stopped.number).name}. {after_stop}", err=True)
        sys.exit(128 + stopped.number)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, frame: Any) -> NoReturn:
    for each in _STOPS:
        signal.signal(each, signal.SIG_IGN)  # once is enough, and the way out takes a moment
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise _Stopped(number)
