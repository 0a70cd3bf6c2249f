"""How good the policy has become, on validation deals; the best so far is kept beside the run.

A run is judged by the mean of its points against fixed opponents. The last of its policies is not
always the best, and the one with the highest mean is often just the luckiest. So the newest takes
the place of the best unless its mean is lower than the highest so far by more than chance explains.
"""

import math
from itertools import product
from pathlib import Path
from typing import Any

from agents import network
from agents.axes import game_of
from agents.base import Agent
from agents.files import BEST
from agents.network import NetworkAgent
from train import arena, deals
from train.checkpoint import State
from train.config import Config
from train.files import write_atomically
from train.learner import Learner
from train.settings import BEST_BEFORE
from train.several import agent_for


def opponents_of(settings: Config) -> list[Agent]:
    """The fixed opponents that the run is measured against.

    ValueError for one that is unknown, or plays another game.
    """
    names = [name for name in settings.report.opponents if name != BEST_BEFORE]
    return [agent_for(name, settings.games) for name in names]


def measure(
    settings: Config, learner: Learner, state: State, opponents: list[Agent], folder: Path
) -> list[dict[str, Any]]:
    """A measurement: the next points of the state's curve, one for each game and opponent.

    The policy plays at its best, without chance. If it is the best so far it is written to BEST.
    """
    agent = NetworkAgent(learner.player(), settings.games, "policy")
    best = folder / BEST
    if BEST_BEFORE in settings.report.opponents and best.exists():
        opponents = [*opponents, network.load(best, name=BEST_BEFORE)]
    seed, pairs = deals.seed("validation"), settings.report.pairs
    points = []
    for rules, opponent in product(settings.games, opponents):
        score = arena.duel(rules, agent, opponent, pairs, seed=seed)
        points.append(
            {
                "game": game_of(rules),
                "steps": state.steps,
                "seconds": state.seconds,
                "opponent": opponent.name,
                "points": score.points,
                "low": score.low,
                "high": score.high,
                "pairs": score.pairs,
            }
        )
    if is_best([*state.curve, *points]):
        tensors, header = network.pack(learner.policy, settings.games)
        write_atomically(best, network.to_bytes(tensors, header | {"steps": str(state.steps)}))
    return points


def means(curve: list[dict[str, Any]]) -> list[float]:
    """Each measurement's mean over its games and fixed opponents, in order.

    Of all measurements only those in the games and against the opponents of the last: a run that
    is gone on with may be measured against others.
    """
    found: dict[int, dict[tuple[str, str], float]] = {}
    for point in curve:
        if point["opponent"] != BEST_BEFORE:
            meeting = point["game"], point["opponent"]
            found.setdefault(point["steps"], {})[meeting] = point["points"]
    last = next(reversed(found.values()), {})
    alike = [points.values() for points in found.values() if points.keys() == last.keys()]
    return [sum(points) / len(points) for points in alike]


def is_best(curve: list[dict[str, Any]]) -> bool:
    """Whether the last measurement is the best, as far as can be told."""
    last = curve[-1]["steps"]
    newest = [point for point in curve if point["steps"] == last]
    spread = max(
        _half_width([point for point in newest if point["opponent"] == opponent])
        for opponent in {point["opponent"] for point in newest}
    )
    found = means(curve)
    return found[-1] >= max(found) - spread


def _half_width(points: list[dict[str, Any]]) -> float:
    """Of the interval of the mean of independent figures, as those of several games are."""
    widths = [(point["high"] - point["low"]) / 2 for point in points]
    return widths[0] if len(widths) == 1 else math.hypot(*widths) / len(widths)


def has_stalled(curve: list[dict[str, Any]], patience: int | None) -> bool:
    """Whether the last `patience` measurements brought no mean above all before them."""
    found = means(curve)
    if patience is None or len(found) <= patience:
        return False
    return max(found[-patience:]) <= max(found[:-patience])
