"""A player that is a program of its own, in whatever language: `process:./my_bot`.

PROTOCOL.md says what such a program reads and writes. `pipe.py` runs it, `protocol.py` has the
words.
"""

import os
import re
import shlex
import shutil
from collections.abc import Callable
from typing import Any

import numpy as np

from agents import protocol
from agents.base import AgentFailure, NotStarted, OutOfTime
from agents.pipe import Pipe, PipeError, shortened
from rungenv.view import View

PREFIX = "process:"

START_SECONDS = 30.0
"""Time that a program has for its first line, or what it has for a decision if that is more."""

_OPTION = r"\w+=[^,:=\s]+"
_TEXT = re.compile(
    rf"process:(?:(?P<options>{_OPTION}(?:,{_OPTION})*):)?(?P<command>.*)", re.DOTALL
)


def split(text: str) -> tuple[str, str | None] | None:
    """Command and options of "process:seconds=5:./my_bot -v"; None for any other text.

    >>> split("process:seconds=5:./my_bot -v"), split("process:node my_bot.js")
    (('./my_bot -v', 'seconds=5'), ('node my_bot.js', None))
    """
    found = _TEXT.fullmatch(text)
    return (found["command"], found["options"]) if found else None


class Process:
    """A program that answers every request with a line, for as long as this object lives.

    seconds: the time for a decision, by the clock on the wall. megabytes: memory that the program
    may write to (on Linux; 0 for no limit). It is started when first asked, and again after it has
    failed: then AgentFailure says what happened, with the last lines of its standard error.
    ValueError for a command that there is not.
    """

    def __init__(self, command: str, seconds: float = 10.0, megabytes: int = 2048) -> None:
        self.words = _words(command)
        if not isinstance(seconds, int | float) or not 0 < seconds < float("inf"):
            raise ValueError(f"seconds must be a number above 0, not {seconds!r}")
        if type(megabytes) is not int or megabytes < 0:
            raise ValueError(f"megabytes must be a whole number, 0 for no limit, not {megabytes!r}")
        self.command = command
        self.seconds = float(seconds)
        self.megabytes = megabytes
        self.name = f"{PREFIX}seconds={seconds:g},megabytes={megabytes}:{command}"
        self._pipe: Pipe | None = None
        self._asked = 0  # requests since it was started

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """(n,) int64 legal actions, each from a seed of its own for what it leaves to chance.

        AgentFailure or OutOfTime names the row; NotStarted has none.
        """
        seeds = rng.integers(protocol.SEEDS, size=len(view)).tolist()
        actions = np.zeros(len(view), np.int64)
        row = None
        try:
            pipe = self._running()
            requests = protocol.requests(view, seeds, self._asked)
            row = 0
            for reply in pipe.ask(requests, self.seconds):
                actions[row] = _action(reply, view.legal[row])
                row += 1
        except PipeError as error:
            self.close()
            if row is None:
                raise NotStarted(self.name, str(error)) from None
            kind = OutOfTime if error.is_late else AgentFailure
            raise kind(self.name, str(error), row, actions[:row].copy()) from None
        except BaseException:  # as Ctrl-C: answers are under way that nobody will wait for
            self.close()
            raise
        self._asked += len(view)
        return actions

    def set_clock(self, seconds: float) -> None:
        """Give it another time for a decision, as an arena with a clock does."""
        self.seconds = float(seconds)

    def close(self) -> None:
        """End the program; the next call starts it anew."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def __reduce__(self) -> tuple[Callable[..., "Process"], tuple[Any, ...], dict[str, str]]:
        """Copies and pickles start a program of their own."""
        return Process, (self.command, self.seconds, self.megabytes), {"name": self.name}

    def _running(self) -> Pipe:
        """The program, started and greeted if it is not running."""
        if self._pipe is None or self._pipe.owner != os.getpid():
            self._asked = 0
            self._pipe = Pipe(self.words, self.megabytes)
            self._greet(self._pipe)
        return self._pipe

    def _greet(self, pipe: Pipe) -> None:
        """Have the program begin. PipeError if it does not, or not in this version's words."""
        hello = protocol.hello(self.seconds, self.megabytes)
        try:
            (line,) = pipe.ask([hello], max(START_SECONDS, self.seconds))
        except PipeError as error:
            if not error.is_late:
                raise
            hint = "is its output flushed after every line?"
            raise PipeError(f"did not begin with {protocol.GREETING!r} ({hint}): {error}") from None
        if line.split(maxsplit=2)[:2] != protocol.GREETING.split():
            raise PipeError(f"began with {shortened(line)}, not with {protocol.GREETING!r}")


def _action(reply: str, legal: np.uint64) -> int:
    """The action of a reply; PipeError for one that is none, or not legal."""
    try:
        return protocol.reply_action(reply, int(legal))
    except ValueError as error:
        raise PipeError(f"answered {shortened(reply)}: {error}") from None


def _words(command: str) -> list[str]:
    """A command's words; ValueError unless the first is a program that can be run."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the command {command!r} cannot be read: {error}") from None
    if not words:
        raise ValueError(f"a process is written {PREFIX}COMMAND, as {PREFIX}./my_bot")
    if shutil.which(words[0]) is None:
        raise ValueError(f"there is no program {words[0]!r} that can be run")
    return words
