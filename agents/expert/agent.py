"""The agent itself: what the situation is, what the judgements say, which action adds up best."""

import numpy as np

from agents.expert.sight import Sight
from agents.expert.situations import SITUATIONS, Judgement, judgements, situation
from agents.expert.weights import Weights, all_weights, every_game, game_of
from agents.greedy import new_cards
from rungenv.actions import TIMEOUT
from rungenv.bits import BIT, lowest
from rungenv.rules import Rules, nearest
from rungenv.view import View

_NEVER = np.int16(-32768)
_SLICE = 512


class Expert:
    """Counts cards and weighs named judgements against each other; as good as rules get here."""

    deterministic = True

    def __init__(self, without: str = "") -> None:
        """without: judgements to switch off, joined by "+"; ValueError for an unknown one."""
        self.without = tuple(name for name in without.split("+") if name)
        known = tuple(judgement_names())
        for name in self.without:
            if name not in known:
                raise ValueError(f"the expert has no judgement {name!r}{nearest(name, known)}")
        self.name = f"expert:without={without}" if without else "expert"
        self._weights: Weights | None = None
        self._plans: dict[tuple[Rules, str], tuple[tuple[Judgement, ...], np.ndarray]] = {}

    @classmethod
    def weighing(cls, weights: Weights) -> "Expert":
        """An expert for one game, by weights other than those on file."""
        expert = cls()
        expert._weights = weights
        return expert

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """(n,) int64 legal actions. Chance plays no part in them."""
        return self.choose(view)

    def choose(self, view: View, lacking: np.ndarray | None = None) -> np.ndarray:
        """(n,) int64 legal actions. lacking (n,): the name of a judgement to do without."""
        legal = view.legal & ~BIT[TIMEOUT]
        actions = lowest(legal).astype(np.int64)
        open_rows = np.flatnonzero(legal & (legal - np.uint64(1)))
        kinds = situation(view)[open_rows]
        for kind in np.unique(kinds):
            rows = open_rows[kinds == kind]
            part = view.take(rows)
            if kind < 0:
                actions[rows] = new_cards(part)
                continue
            asked, weights = self.plan(view.rules, SITUATIONS[kind])
            if lacking is not None:
                names = np.array([judge.__name__ for judge in asked])
                weights = np.where(names[:, None] == lacking[rows], np.int16(0), weights[:, None])
            actions[rows] = best(said(part, asked), weights, legal[rows])
        return actions

    def plan(self, rules: Rules, name: str) -> tuple[tuple[Judgement, ...], np.ndarray]:
        """The judgements that it asks in a situation, and their weights: (k,) int16."""
        if (rules, name) not in self._plans:
            table = (self._weights or all_weights()[game_of(rules)]).get(name, {})
            asked = tuple(
                judge
                for judge in judgements(rules, name)
                if judge.__name__ not in self.without and table.get(judge.__name__, 0)
            )
            weights = np.array([table[judge.__name__] for judge in asked], np.int16)
            self._plans[rules, name] = asked, weights
        return self._plans[rules, name]


def said(view: View, asked: tuple[Judgement, ...]) -> np.ndarray:
    """What each judgement names: (k, n) uint64 sets of actions."""
    sight = Sight(view)
    answers = np.empty((len(asked), len(view)), np.uint64)
    for answer, judge in zip(answers, asked, strict=True):
        answer[:] = judge(sight)
    return answers


def decisive(answers: np.ndarray, weights: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Whether the choice would be another without a judgement: (k, n) bool. Arguments of `best`."""
    chosen = best(answers, weights, legal)
    spoke = np.array(weights != 0)
    changed = np.zeros(answers.shape, np.bool_)
    for number in np.flatnonzero(spoke):
        rest = weights.copy()
        rest[number] = 0
        rows = np.flatnonzero(answers[number] & legal)  # elsewhere it says nothing of a choice
        changed[number, rows] = best(answers[:, rows], rest, legal[rows]) != chosen[rows]
    return changed


def best(answers: np.ndarray, weights: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The legal action with the highest sum of weights, of several the lowest: (n,) int64.

    answers (k, n) uint64 sets; weights (k,) int16, or (k, n) for weights of each row's own; legal
    (n,) uint64. Whole numbers, so that a row adds up alike alone and in any batch.
    """
    n = answers.shape[1]
    chosen = np.empty(n, np.int64)
    for start in range(0, n, _SLICE):  # what fits the cache
        part = slice(start, start + _SLICE)
        is_legal = flags(legal[part])
        totals = np.zeros(is_legal.shape, np.int16)
        for answer, weight in zip(answers[:, part], weights, strict=True):
            weight = weight[part, None] if weights.ndim == 2 else weight
            totals += np.multiply(flags(answer), weight, dtype=np.int16)
        chosen[part] = np.where(is_legal, totals, _NEVER).argmax(axis=1)
    return chosen


def flags(words: np.ndarray) -> np.ndarray:
    """Membership in sets: (n,) uint64 -> (n, 64) uint8."""
    return np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little").reshape(
        -1, 64
    )


def judgement_names() -> dict[str, Judgement]:
    """Every judgement of any game by its name."""
    found: dict[str, Judgement] = {}
    for rules in every_game():
        for name in SITUATIONS:
            found |= {judge.__name__: judge for judge in judgements(rules, name)}
    return found
