"""Pieces of the arena's work, done in this process or in several; the results are the same.

Each way of working is a function from pieces to a generator of `Done`, in whatever order they are
finished. Every piece comes back once, or the generator ends in an exception; closed, it stops.
"""

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from functools import cache

import agents
from agents import Agent
from agents.files import digest_of
from train.arena.duplicate import Stopped, play
from train.arena.piece import Piece
from train.arena.played import Played

Make = Callable[[str], Agent]

DEATHS = 3
"""Workers that may die in a row, without a piece done in between, before it is given up."""

_LIBRARIES = ("OMP", "OPENBLAS", "MKL")


@dataclass(frozen=True)
class Done:
    """A piece with what came of it, and how long that took; `stopped` when an agent failed."""

    piece: Piece
    seconds: float
    played: Played | None
    stopped: Stopped | None = None


def work(piece: Piece, make: Make | None = None) -> Done:
    """Play a piece, its agents made by name, once in a process."""
    make = make or _made
    started = time.perf_counter()
    played = stopped = None
    try:
        played = play(piece, make(piece.a), make(piece.b))
    except Stopped as error:
        stopped = error
    return Done(piece, time.perf_counter() - started, played, stopped)


def run_here(pieces: Sequence[Piece], make: Make | None = None) -> Generator[Done, None, None]:
    """One piece after the other, in this process. make: gives an agent by name, if not `agents`."""
    for piece in pieces:
        yield work(piece, make)


def run_in_processes(pieces: Sequence[Piece], processes: int) -> Generator[Done, None, None]:
    """Pieces side by side, each process on one thread.

    When a process dies, for want of memory for instance, what it was at is done again by a new one.
    ValueError when that goes on happening.
    """
    left = dict.fromkeys(pieces)
    deaths = 0
    while left:
        try:
            with closing(_run_in_pool(list(left), min(processes, len(left)))) as working:
                for done in working:
                    del left[done.piece]
                    deaths = 0
                    yield done
        except BrokenProcessPool:
            deaths += 1
            if deaths == DEATHS:
                raise ValueError(
                    f"processes of the arena died {DEATHS} times in a row; is memory short? "
                    "Fewer --processes take less"
                ) from None


def _run_in_pool(pieces: Sequence[Piece], processes: int) -> Generator[Done, None, None]:
    """The pieces once, in a pool of processes that is closed however this ends."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _alone)
    complete = False
    try:
        with _one_thread_each():
            running: set[Future[Done]] = {pool.submit(work, piece) for piece in pieces}
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()
        complete = True
    finally:
        pool.shutdown(wait=complete, cancel_futures=True)
        if not complete:  # whoever waits for Ctrl-C or an error does not wait for a slow piece
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()


class _one_thread_each:
    """Processes started inside have numerical libraries that use one thread."""

    def __enter__(self) -> None:
        self._before = {name: os.environ.get(name) for name in thread_variables()}
        os.environ.update(dict.fromkeys(thread_variables(), "1"))

    def __exit__(self, *exception: object) -> None:
        for name, value in self._before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def thread_variables() -> list[str]:
    """The environment variables that say how many threads numerical libraries use."""
    return [f"{library}_NUM_THREADS" for library in _LIBRARIES]


def _alone() -> None:
    """In a new process: Ctrl-C is for the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _made(name: str) -> Agent:
    return _made_of(name, digest_of(name))


@cache
def _made_of(name: str, digest: str) -> Agent:
    """An agent, made once in a process unless its files have changed."""
    agent = agents.make(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    return agent
