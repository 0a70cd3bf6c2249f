"""An agent asked for its actions, held to the rules and to its clock.

`ask` is how the arena asks every agent, in its own process or in another: what an agent fails at
comes back as an `AgentFailure` for each row that failed, and the other rows have their actions.

A clock is seconds for a decision. Agents answer many at a time, so a call has as many times the
clock as it has rows. One that takes longer is put the rows one by one, each with a clock of its
own, and so is one that breaks, or gives something of a wrong shape: this finds the rows at fault.
In a process's main thread the clock also stops what would never end. An agent that keeps a clock
itself, because it plays in a process of its own, has a method `set_clock(seconds)`, raises
`OutOfTime` and is left to stop by itself.
"""

import contextlib
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import numpy as np

from agents.base import Agent, AgentFailure, NotStarted, OutOfTime, SeesAllHands
from rungenv import IllegalAction, Tables, View
from rungenv.players import Player, are_legal, illegal_answer

NONE = -1
"""Instead of an action, where the agent gave none that counts."""


@dataclass
class Answers:
    """actions (n,) int64, NONE where the agent failed; failures: by row; seconds inside the agent.

    The seconds are those of all calls, those included that failed.
    """

    actions: np.ndarray
    failures: dict[int, AgentFailure] = field(default_factory=dict)
    seconds: float = 0.0


def ask(
    agent: Agent | SeesAllHands,
    tables: Tables,
    view: View,
    rows: np.ndarray,
    rng: np.random.Generator,
    clock: float | None = None,
    to_the_end: bool = True,
) -> Answers:
    """An action for each of some rows of the tables, of which `view` is the view: (m,) rows.

    clock: seconds for a decision, None for as many as it takes. to_the_end: whether to go on after
    a failure; if not, there are no answers to the rows after it.
    """
    if clock is not None:
        _set_clock(agent, clock)
    question = _Question(agent, tables, view, rng, clock, to_the_end)
    answers = Answers(np.full(len(rows), NONE, np.int64))
    done = 0
    while done < len(rows) and (to_the_end or not answers.failures):
        done = question.put(rows, done, answers)
    return answers


def _set_clock(agent: Any, clock: float) -> None:
    """Tell all that keep a clock themselves, among the agents that an agent is made of too."""
    if hasattr(agent, "set_clock"):
        agent.set_clock(clock)
    for inner in getattr(agent, "made_of", ()):
        _set_clock(inner, clock)


@dataclass(frozen=True)
class _Question:
    agent: Agent | SeesAllHands
    tables: Tables
    view: View
    rng: np.random.Generator
    clock: float | None
    to_the_end: bool

    def put(self, rows: np.ndarray, start: int, answers: Answers) -> int:
        """Ask about the rows from `start` on, at once; returns how far that has brought it.

        A failure that names no row is one of the only row, or has the rows asked one by one; one
        to begin at all is of all rows.
        """
        given: list[Any] = []
        rest = rows[start:]
        legal = self.tables.legal_set[rest]
        player = Player(self.agent.name, self._timed(given, answers))
        try:
            actions = player.answer(legal, lambda: self._sight(rest), self.rng)
        except IllegalAction as error:
            actions = np.asarray(given[0]).astype(np.int64)
            for at in np.flatnonzero(~are_legal(legal, actions)).tolist():
                answers.failures[start + at] = self._illegal(legal[at], actions[at], error)
                actions[at] = NONE
        except AgentFailure as failure:
            return self._go_on(rows, start, answers, failure)
        except ValueError as error:  # of a wrong shape, or no ints
            reason = str(error).removeprefix(self.agent.name).strip()
            return self._go_on(rows, start, answers, AgentFailure(self.agent.name, reason))
        answers.actions[start : len(rows)] = actions
        return len(rows)

    def _go_on(self, rows: np.ndarray, start: int, answers: Answers, failure: AgentFailure) -> int:
        if isinstance(failure, NotStarted):
            answers.failures |= dict.fromkeys(range(start, len(rows)), failure)
            return len(rows)
        if failure.row is None and len(rows) - start > 1:
            for at in range(start, len(rows)):
                self.put(rows[: at + 1], at, answers)
                if answers.failures and not self.to_the_end:
                    break
            return len(rows)
        at = start + (failure.row or 0)
        answers.actions[start:at] = failure.answered
        answers.failures[at] = failure
        return at + 1

    def _sight(self, rows: np.ndarray) -> Any:
        """What the agent is shown of some rows: views, unless it sees all hands."""
        return (
            self.tables.take(rows) if isinstance(self.agent, SeesAllHands) else self.view.take(rows)
        )

    def _timed(self, given: list[Any], answers: Answers) -> Callable[..., Any]:
        """The agent's act, on the clock; what it answers is put into `given` too."""
        agent, clock = self.agent, self.clock
        act = agent.act_on_tables if isinstance(agent, SeesAllHands) else agent.act
        stops_itself = hasattr(agent, "set_clock")

        def timed(sight: Any, rng: np.random.Generator) -> Any:
            allowed = None if clock is None or stops_itself else clock * len(sight)
            started = time.perf_counter()
            try:
                with _alarm(allowed):
                    given.append(act(sight, rng))
            except _Alarm:
                raise self._out_of_time() from None
            except AgentFailure:
                raise
            except (Exception, SystemExit) as error:
                raise AgentFailure(agent.name, _what_broke(error)) from error
            finally:
                answers.seconds += time.perf_counter() - started
            if allowed is not None and time.perf_counter() - started > allowed:
                raise self._out_of_time()
            return given[-1]

        return timed

    def _out_of_time(self) -> OutOfTime:
        return OutOfTime(self.agent.name, f"took longer over a decision than {self.clock:g} s")

    def _illegal(self, legal: Any, action: Any, error: IllegalAction) -> AgentFailure:
        failure = AgentFailure(self.agent.name, illegal_answer(int(action), int(legal)))
        failure.__cause__ = error
        return failure


def _what_broke(error: BaseException) -> str:
    """An agent's exception in words: what it was, and the line it came from."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    words = " ".join(str(error).split())
    where = f"{os.path.basename(last.filename)}, line {last.lineno}"
    return f"broke: {type(error).__name__}: {words} ({where})"


class _Alarm(BaseException):
    """The clock has run out. No Exception, so that an agent does not catch it by mistake."""


@contextlib.contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Raise _Alarm inside the block when it takes longer, where that can be done."""
    can = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not can:
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _Alarm

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
