"""Those at the table who are not the caller of a Gymnasium environment. No rules.

A player is an object with `act(view, rng)`, as `agents.make("greedy")` is, or a function of the
same arguments: given a `rungenv.View` of n rows and a generator, it answers with n legal actions.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from types import MethodType
from typing import Any

import numpy as np

from rungenv.actions import N_ACTIONS, action_name, action_names
from rungenv.bits import choose
from rungenv.checks import as_array
from rungenv.kernel import IllegalAction, step
from rungenv.tables import Tables
from rungenv.view import View, observe

Act = Callable[[View, np.random.Generator], Any]


class Player:
    """Somebody at the table; `name` is the argument that brought it, None any legal action."""

    def __init__(self, name: str, player: Any) -> None:
        self.name = name
        act = getattr(player, "act", player)
        if player is not None and not callable(act):
            raise ValueError(
                f"{name} must be a function of (view, rng), an object with such an act(), or None "
                f"for random play, not {player!r}"
            )
        self.act: Act | None = act

    def acts_as(self, other: "Player") -> bool:
        """Whether both are the same function, or the same object's `act`."""
        is_method = isinstance(self.act, MethodType)
        return self.act is other.act or (is_method and self.act == other.act)

    def answer(
        self, legal: np.ndarray, look: Callable[[], View], rng: np.random.Generator
    ) -> np.ndarray:
        """A legal action for each row: (m,) uint64 sets -> (m,) int64.

        look: gives the view of these rows, where it takes one. IllegalAction or ValueError for an
        answer that is none.
        """
        if self.act is None:
            return choose(legal, rng.random(len(legal)))
        actions = as_array(f"the answer of {self.name}", self.act(look(), rng))
        if actions.shape != legal.shape or actions.dtype.kind not in "iu":
            raise ValueError(
                f"{self.name} must answer a view of {len(legal)} row{'s' * (len(legal) != 1)} with "
                f"as many ints, not with {actions.dtype} of shape {actions.shape}"
            )
        wrong = np.flatnonzero(~are_legal(legal, actions))
        if wrong.size:
            action, word = int(actions[wrong[0]]), int(legal[wrong[0]])
            raise IllegalAction(f"{self.name} {illegal_answer(action, word)}")
        return actions.astype(np.int64)


def illegal_answer(action: int, legal: int) -> str:
    """What is wrong with an answer that is not in a set of legal actions, and what would be right.

    >>> illegal_answer(54, 1 << 56)
    'answered CALL_H, which is not legal; legal: PASS'
    """
    why = ""
    if not 0 <= action < N_ACTIONS:
        why = f": an action is a number from 0 to {N_ACTIONS - 1}"
    if action > _FAR:
        why += ", and view.legal a set of them, which rungenv.bits takes apart"
    return f"answered {action_name(action)}, which is not legal{why}; legal: {action_names(legal)}"


_FAR = 1000
"""Who answers with more than that has likely taken a set for an action."""


def are_legal(legal: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Which actions, ints of any size, are in the sets of legal ones: (n,) bool."""
    # A negative number turns into a huge one, whose shift leaves nothing.
    return (legal >> actions.astype(np.uint64)) & np.uint64(1) != 0


_FEW = 4
"""Tables go on by themselves once they are less than 1 in so many of a batch."""


class Others:
    """The players of all seats but the caller's, at many tables at a time.

    sits: whose seat each is, counted from the caller's (or the first of them): 0 the caller's, or
    the number, from 1, of one of the players. Players that are the same are asked together.
    """

    def __init__(self, sits: Sequence[int], players: Sequence[Player]) -> None:
        self.players: list[Player] = []
        for player in reversed(players):
            if (number := self._number(player)) == 0:
                self.players.append(player)
            else:
                self.players[number - 1] = player
        numbers = [0, *map(self._number, players)]
        self.sits = np.array([numbers[who] for who in sits], np.int8)

    def _number(self, player: Player) -> int:
        """Which of the players does what this one does, counted from 1; 0 for none."""
        alike = (number for number, one in enumerate(self.players, 1) if one.acts_as(player))
        return next(alike, 0)

    def play(self, tables: Tables, own: np.ndarray, rng: np.random.Generator) -> bool:
        """Act until at most tables it is the caller's turn, or the round is over.

        own (n,) int8: the caller's seats. Returns whether that is so at all tables; if not, the
        next call has fewer to go on with, and the caller may add to them by dealing new rounds.
        """
        if not self.sits.any():
            return True
        rows = np.flatnonzero(self._sitting(tables, own))
        if rows.size * _FEW >= len(tables):
            return self._play_most(tables, own, rng)
        if not rows.size:
            return True
        part = tables.take(rows)
        is_done = self._play_most(part, own[rows], rng)
        tables.put(rows, part)
        return is_done

    def open(self, tables: Tables, own: np.ndarray, rng: np.random.Generator) -> None:
        """Act until it is the caller's turn at all tables, as they are when an episode begins.

        own (n,) int8: the caller's seats. ValueError for a table, in mid-round, whose round is over
        before that.
        """
        while not self.play(tables, own, rng):
            pass
        if (tables.seat < 0).any():
            row = int(np.flatnonzero(tables.seat < 0)[0])
            raise ValueError(
                f"tables must leave a decision to the caller; the round of table {row} is over "
                f"before seat {own[row]} has one"
            )

    def _play_most(self, tables: Tables, own: np.ndarray, rng: np.random.Generator) -> bool:
        sitting = self._sitting(tables, own)
        while left := np.count_nonzero(sitting):
            if left * _FEW < len(tables):
                return False
            step(tables, self._answers(tables, sitting, rng), sitting > 0)
            sitting = self._sitting(tables, own)
        return True

    def _sitting(self, tables: Tables, own: np.ndarray) -> np.ndarray:
        """Whose turn it is, 0 for the caller's, and where the round is over: (n,) int8."""
        return self.sits.take((tables.seat - own) & 3) * (tables.seat >= 0)

    def _answers(self, tables: Tables, sitting: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """The actions of those whose turn it is: (n,) int64; of no meaning at other tables."""
        look = cache(lambda: observe(tables))
        only = self.players[0]
        if len(self.players) == 1 and (only.act is None or sitting.all()):
            return only.answer(tables.legal_set, look, rng)
        actions = np.zeros(len(tables), np.int64)
        for number, player in enumerate(self.players, 1):
            rows = np.flatnonzero(sitting == number)
            if rows.size:
                view = partial(_some, look, rows)
                actions[rows] = player.answer(tables.legal_set[rows], view, rng)
        return actions


def _some(look: Callable[[], View], rows: np.ndarray) -> View:
    return look().take(rows)
