"""What runs in the worker: loads the stranger's file, answers questions until it is killed.

From the moment the file is loaded nothing here can be trusted: the stranger shares this interpreter. So
nothing here decides anything; the referee judges what comes out of the pipe, and measures from outside.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import faulthandler
import importlib
import inspect
import io
import linecache
import os
import random
import signal
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

import cloudpickle
import msgspec

from sandbox.channel import HEADER, Kind, Load, Raised, frame
from sandbox.gate import Gate
from sandbox.messages import SCRATCH

REQUEST, REPLY = 3, 4  # where a worker finds its pipes
_PIPE = 64 * 1024
_USUAL = 8 * 1024  # bytes that most questions fit in
_NAME = HEADER.size + 1  # where the name of a method begins
_MODULE = "strategy"  # the name a submission is imported under
_CLASS = "Strategy"
_MOST_FRAMES = 20
_MOST_TEXT = 2000
# What students import; a worker should not wait for what the zygote can have ready.
_LIBRARY = """
    abc array ast bisect calendar cmath collections collections.abc contextlib copy csv ctypes dataclasses datetime
    decimal difflib enum fractions functools gc hashlib heapq importlib inspect io itertools json linecache logging
    math mmap numbers operator os os.path pathlib pickle platform pprint queue random re select shutil signal socket
    statistics string struct subprocess tempfile textwrap threading time timeit traceback types typing unicodedata
    uuid warnings weakref zlib encodings.idna encodings.ascii encodings.latin_1 encodings.utf_8_sig
""".split()

_ANSWER, _MISFIT, _RAISED = int(Kind.ANSWER), int(Kind.MISFIT), int(Kind.RAISED)  # plain: enums cost time a turn
_encode_answer = msgspec.msgpack.Encoder(decimal_format="number", uuid_format="canonical").encode
_decode_load = msgspec.msgpack.Decoder(Load).decode
_decode_load(msgspec.msgpack.encode(Load()))  # its first use in each process would cost half a millisecond

gate = Gate(())  # the zygote puts the real one in place
_ballast = b""
_rehearsals: list[Callable[[], object]] = []
_library_places: tuple[str, ...] = ()


def preload(names: list[str]) -> None:
    """In the zygote: import what workers will want; "module:function" is called as well.

    Should that return something to call, every worker calls it once, before it has a file.
    """
    global _library_places
    import _sitebuiltins

    # Without `site` (-S) these are not there, and students do write exit().
    setattr(builtins, "exit", _sitebuiltins.Quitter("exit", "Ctrl-D"))  # noqa: B010  # mypy knows exit
    setattr(builtins, "quit", _sitebuiltins.Quitter("quit", "Ctrl-D"))  # noqa: B010
    for name in _LIBRARY:
        importlib.import_module(name)
    _library_places = tuple(place.rstrip("/") + "/" for place in sys.path if place)
    for name in names:
        module, _, function = name.partition(":")
        imported = importlib.import_module(module)
        if function:
            again = getattr(imported, function)()
            if callable(again):
                _rehearsals.append(again)
    for place in sys.path:  # listing a directory may be refused later, but its listing is kept
        finder = sys.path_importer_cache.get(place)
        if finder is not None and hasattr(finder, "find_spec"):
            finder.find_spec("no_such_module")


def _read(count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        piece = os.read(REQUEST, min(count - len(data), _PIPE))
        if not piece:
            os._exit(0)  # the referee hung up
        data += piece
    return bytes(data)


def _receive() -> tuple[int, bytes]:
    """A whole frame, and its number. The referee sends the next only after the answer: what is there is one frame."""
    data = os.read(REQUEST, _USUAL)
    if len(data) < HEADER.size:
        data += _read(HEADER.size - len(data))
    length, sequence, _ = HEADER.unpack_from(data)
    missing = HEADER.size + length - len(data)
    if missing:
        data += _read(missing)
    return sequence, data


def _send(sequence: int, kind: int, payload: bytes) -> None:
    data = frame(sequence, kind, payload)
    sent = os.write(REPLY, data)
    while sent < len(data):
        sent += os.write(REPLY, data[sent:])


def receive_load() -> Load:
    return _decode_load(_receive()[1][HEADER.size :])


def run(load: Load, handle: Handle) -> NoReturn:
    """Load the strategy and answer for it. Called with every layer on."""
    code = 70
    try:
        try:
            strategy = _load(load)
            methods = _methods(strategy, load)
        except BaseException as error:
            _flush()
            _send(0, Kind.RAISED, msgspec.msgpack.encode(_describe(error)))
        else:
            _flush()
            _send(0, Kind.READY, msgspec.msgpack.encode(sorted(methods)))
            _serve(strategy, handle)
    finally:
        os._exit(code)


def open_streams() -> None:
    """While waiting for a file: stdin, stdout and stderr, and last words for a crash."""
    sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False))
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        buffered = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False))
        stream = io.TextIOWrapper(buffered, "utf-8", "backslashreplace", line_buffering=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the zygote has none
    # A crash, and the signal the referee sends before it kills for time, leave a traceback in the output.
    faulthandler.enable(2, all_threads=False)
    faulthandler.register(signal.SIGXCPU, 2, all_threads=False)


def arrange(load: Load, has_scratch: bool) -> None:
    """A working directory, and generators seeded from the match. What fails here is our fault: before LOCKED."""
    global _ballast
    _ballast = bytes(1 << 20)  # mapped but untouched
    os.environ["TMPDIR"] = SCRATCH if has_scratch else "/"
    os.chdir(load.folder or (SCRATCH if has_scratch else "/"))
    random.seed(load.seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(load.seed & 0xFFFFFFFF)


def _load(load: Load) -> Any:
    """The strategy: an instance of the file's class, or the module with its functions."""
    if load.by_value:
        found = cloudpickle.loads(load.by_value)
        if inspect.isclass(found):
            return found(**load.parameters)
        names = load.required or (found.__name__,)  # a bare function answers whatever is asked
        return types.SimpleNamespace(**dict.fromkeys(names, found))
    module = types.ModuleType(_MODULE)
    path = os.path.join(load.folder, load.entry)
    source = load.files[load.entry]
    module.__file__ = path
    sys.modules[_MODULE] = module
    if load.folder:
        sys.path.insert(0, load.folder)
        tops = {name.split("/")[0].removesuffix(".py") for name in load.files}
        gate.own = frozenset(tops)
    _check_text(source, path)
    lines = source.decode("utf-8", "replace").splitlines(keepends=True)
    linecache.cache[path] = (len(source), None, lines, path)
    exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    strategy = getattr(module, _CLASS, None)
    if strategy is None:
        return module
    if not inspect.isclass(strategy):
        raise TypeError(f"{_CLASS} must be a class, not {type(strategy).__name__}")
    return strategy(**load.parameters)


def _check_text(source: bytes, path: str) -> None:
    """Faults that Python reports without a line, reported with one."""
    at = source.find(b"\0")
    if at >= 0:
        line = source.count(b"\n", 0, at) + 1
        raise SyntaxError("the file holds a null byte; save it as plain text (UTF-8)", (path, line, 1, ""))
    try:
        importlib.util.decode_source(source)
    except SyntaxError as error:  # a coding line that names no encoding
        raise SyntaxError(error.msg, (path, 1, 1, "")) from None
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise SyntaxError(f"the file is not valid {error.encoding}; save it as UTF-8", (path, line, 1, "")) from None


def _methods(strategy: Any, load: Load) -> list[str]:
    """Which of the methods asked for there are; a required one that is missing or misfits is an error."""
    found = []
    what = "the file" if isinstance(strategy, types.ModuleType) else f"class {type(strategy).__name__}"
    for wanted in (*load.required, *load.optional):
        name = wanted.removesuffix("()")
        method = getattr(strategy, name, None)
        if not callable(method):
            if wanted in load.required:
                raise TypeError(f"{what} does not define {name}(view)")
            continue
        found.append(name)
        given = () if wanted != name else (None,)
        if _plainly_takes(method, len(given)):
            continue
        with contextlib.suppress(ValueError):  # built-in callables have no signature
            try:
                inspect.signature(method).bind(*given)
            except TypeError as misfit:
                own = getattr(method, "__code__", None)
                where = f" (line {own.co_firstlineno})" if own else ""
                count = "no" if wanted != name else "one"
                raise TypeError(f"{name}{where} cannot be called with {count} argument: {misfit}") from None
    return found


def _plainly_takes(method: Any, given: int) -> bool:
    """Whether this is a plain function or method that takes so many arguments: `inspect` is long in saying so."""
    if isinstance(method, types.MethodType):
        method, given = method.__func__, given + 1
    if not isinstance(method, types.FunctionType) or method.__dict__:  # decorated: it may stand for another
        return False
    code, optional = method.__code__, len(method.__defaults__ or ())
    required_by_name = code.co_kwonlyargcount - len(method.__kwdefaults__ or ())
    return code.co_argcount - optional <= given <= code.co_argcount and not required_by_name


Handle = tuple[Callable[[str, bytes], tuple[Any, ...]], Callable[[str, Any], Any]]


def find_adapter(name: str) -> Handle:
    """How frames become arguments and answers frames; without an adapter: plain data."""
    if not name:
        decode = msgspec.msgpack.Decoder().decode
        return (lambda _, payload: (decode(payload),)), (lambda _, value: value)
    module, _, function = name.partition(":")
    make = getattr(sys.modules.get(module), function or " ", None)
    if make is None:
        raise LookupError(f"there is no adapter {name!r}: it must be 'module:function', the module preloaded")
    made = make()
    return made.arguments, made.answer


def _serve(strategy: Any, handle: Handle) -> NoReturn:
    while True:
        sequence, data = _receive()
        kind, payload = _answer(strategy, handle, data)
        _flush()
        _send(sequence, kind, payload)


def _answer(strategy: Any, handle: Handle, data: bytes) -> tuple[int, bytes]:
    """What to say to a question: the length of the method's name, the name, the view."""
    arguments, plain = handle
    end = _NAME + data[HEADER.size]
    method = data[_NAME:end].decode()
    try:
        value = getattr(strategy, method)(*arguments(method, data[end:]))
        try:
            return _ANSWER, _encode_answer(plain(method, value))
        except (TypeError, ValueError, OverflowError, RecursionError, NotImplementedError):
            return _MISFIT, _what_it_is(value).encode()
    except BaseException as error:
        return _RAISED, msgspec.msgpack.encode(_describe(error))


def rehearse() -> None:
    """While waiting for a file: a turn of nobody's, and what preloaded functions returned to be called here.

    A fork copies each page when it is first written to, so its first turns are slow; by this, in nobody's time.
    """
    echo, question = types.SimpleNamespace(turn=lambda view: view), msgspec.msgpack.encode({"a": [1, 2.5, "b", None]})
    _answer(echo, find_adapter(""), frame(0, 0, b"\x04turn" + question))
    _flush()
    for again in _rehearsals:
        again()


def _flush() -> None:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except Exception:  # the stranger's streams may be anything
        return


def _what_it_is(value: Any) -> str:
    try:
        shown = repr(value)[:100]
    except Exception:
        shown = "which cannot be shown"
    return f"{type(value).__name__} {shown}".encode("utf-8", "replace").decode()[:300]


def _text(value: Any) -> str:
    """str() of something a stranger made."""
    try:
        return str(value)[:_MOST_TEXT].encode("utf-8", "backslashreplace").decode()
    except BaseException:
        return "(its text cannot be shown)"


def _describe(error: BaseException) -> Raised:
    """Words for an exception: its type, its text, and the stranger's own lines of the traceback."""
    global _ballast
    memory = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
    if memory:
        _ballast = b""  # room to say so in
    frames: list[tuple[str, int, str, str]] = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if _is_own(code.co_filename):
            source = linecache.getline(code.co_filename, step.tb_lineno).strip()
            frames.append((_own_name(code.co_filename), step.tb_lineno, _text(code.co_name), _text(source)))
            del frames[: max(0, len(frames) - _MOST_FRAMES)]
        step = step.tb_next
    if isinstance(error, SyntaxError) and error.filename and _is_own(error.filename):
        frames = [(_own_name(error.filename), error.lineno or 0, "", _text(error.text or "").strip())]
        text = _text(error.msg)
    else:
        text = _text(error)
    return Raised(_text(type(error).__name__), text, frames, memory, isinstance(error, SystemExit))


def _is_own(filename: str) -> bool:
    return not filename.startswith(("<frozen", *_library_places))


def _own_name(filename: str) -> str:
    for place in (os.path.dirname(getattr(sys.modules.get(_MODULE), "__file__", "") or ""),):
        if place and filename.startswith(place + "/"):
            return filename[len(place) + 1 :]
    return os.path.basename(filename)
