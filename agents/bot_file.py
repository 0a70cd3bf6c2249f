"""A person's own bot: a class in a Python file, named as `my_bot.py:MyBot`."""

import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from agents.base import Agent
from rungenv.rules import nearest


def split(text: str) -> tuple[Path, str, str | None] | None:
    """File, class and options of "my_bot.py:MyBot:depth=3"; None for a text without a file.

    >>> split("bots/my_bot.py:MyBot:depth=3")
    (PosixPath('bots/my_bot.py'), 'MyBot', 'depth=3')
    """
    file, ending, rest = text.partition(".py:")
    if not ending and not text.endswith(".py"):
        return None
    name, colon, options = rest.partition(":")
    return Path(file.removesuffix(".py") + ".py"), name, options if colon else None


def bot_class(path: Path, name: str) -> Callable[..., Any]:
    """The class of a file, which is run for it, once in a process unless it has changed.

    The file may import its neighbours. ValueError where the file cannot be run, or has no class of
    this name that plays.
    """
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    module = _module(path.resolve(), path.stat().st_mtime_ns)
    found = getattr(module, name, None)
    bots = _bots(module)
    if not bots:
        raise ValueError(f"{path} has no class with a method act(view, rng)")
    if not name:
        raise ValueError(f"say which class of {path}: {', '.join(f'{path}:{b}' for b in bots)}")
    if found is None:
        raise ValueError(f"{path} has no class {name!r}{nearest(name, bots)}")
    if name not in bots:
        raise ValueError(f"{name} in {path} is no class with a method act(view, rng)")
    return found


def _bots(module: ModuleType) -> tuple[str, ...]:
    """The names of a module's classes that can act, its own before those that it imports."""
    classes = [(name, kind) for name, kind in vars(module).items() if isinstance(kind, type)]
    classes.sort(key=lambda item: item[1].__module__ != module.__name__)
    return tuple(
        name for name, kind in classes if callable(getattr(kind, "act", None)) and kind is not Agent
    )


class _AsItStands(SourceFileLoader):
    """Compiles a file whenever it is loaded.

    What Python keeps compiled would do for a file that has changed within the second, at the same
    length, as well.
    """

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


@cache
def _module(path: Path, changed: int) -> ModuleType:
    """The module of a file. Its name is the path, so that it can be mistaken for no other.

    changed: when the file was, in nanoseconds; a module is kept under both.
    """
    loader = _AsItStands(str(path), str(path))
    spec = importlib.util.spec_from_file_location(str(path), path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise ValueError(f"{path.name} cannot be run: {_where(error, path)}") from error
    return module


def _where(error: BaseException, path: Path) -> str:
    """An error in a file in one line: what it is, and the last line of the file that it came by."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__} in line {line}: {words}"
