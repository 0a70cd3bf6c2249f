"""Agents that fail in each of the ways there are, at positions that can be chosen."""

import time

import numpy as np

from agents import AgentFailure, OutOfTime
from agents.greedy import Greedy
from rungenv.bits import BIT


def everywhere(view):
    return np.ones(len(view), np.bool_)


def holding(card):
    """Where a card is in the hand: the same for a row alone and in a batch."""
    return lambda view: view.hand & BIT[card] != 0


class Failing(Greedy):
    """Greedy, but for rows where `at(view)` is true; subclasses say what happens there."""

    def __init__(self, at=everywhere, name="failing"):
        self.at = at
        self.name = name

    def act(self, view, rng):
        bad = np.flatnonzero(self.at(view))
        return self.fail(super().act(view, rng), bad) if bad.size else super().act(view, rng)


class Crashes(Failing):
    def fail(self, actions, bad):
        raise KeyError("no such card")


class Illegal(Failing):
    def fail(self, actions, bad):
        actions[bad] = 61  # no action at all
        return actions


class Floats(Failing):
    def fail(self, actions, bad):
        return actions.astype(np.float64)


class TooMany(Failing):
    def fail(self, actions, bad):
        return np.repeat(actions, 2)


class Endless(Failing):
    """Never ends of itself where it is alone; as a batch, it is the batch that never ends."""

    def fail(self, actions, bad):
        while True:
            time.sleep(0.001)


class OneByOne(Failing):
    """As a program in a process of its own: it answers row by row, and says where it failed."""

    kind = AgentFailure

    def fail(self, actions, bad):
        raise self.kind(self.name, "ended", int(bad[0]), actions[: bad[0]])


class OneByOneLate(OneByOne):
    kind = OutOfTime
