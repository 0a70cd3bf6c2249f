"""What the numbers of a training configuration have to be."""

import math
from typing import Any

from train.deals import HIGHEST

# What numbers have to be: the least allowed, and whether it is itself too little.
_LEAST: dict[str, tuple[float, bool]] = {
    "seed": (0, False),
    "threads": (0, False),
    "network.hidden": (0, True),
    "network.critic_hidden": (0, True),
    "shares": (0, True),
    "network.attention_width": (0, True),
    "network.attention_layers": (0, True),
    "network.attention_heads": (0, True),
    "ppo.deals": (0, True),
    "ppo.epochs": (0, True),
    "ppo.minibatch": (0, True),
    "ppo.learning_rate_start": (0, True),
    "ppo.learning_rate_end": (0, False),
    "ppo.entropy_start": (0, False),
    "ppo.entropy_end": (0, False),
    "ppo.clip": (0, True),
    "ppo.trace": (0, False),
    "ppo.shaping_start": (-math.inf, False),
    "ppo.shaping_end": (-math.inf, False),
    "ppo.critic_weight": (0, False),
    "ppo.cards_weight": (0, False),
    "ppo.max_gradient": (0, True),
    "clone.steps": (0, True),
    "iteration.every": (0, False),
    "iteration.share": (0, True),
    "iteration.worlds": (0, True),
    "league.share": (0, False),
    "league.past": (0, False),
    "league.every": (0, True),
    "league.keep": (0, True),
    "league.partners": (0, False),
    "budget.total_steps": (0, True),
    "budget.max_minutes": (0, True),
    "budget.patience": (0, True),
    "report.pairs": (0, False),
    "report.every_minutes": (0, False),
    "report.save_minutes": (0, False),
}

_MOST: dict[str, float] = {
    "seed": HIGHEST,
    "ppo.trace": 1,
    "iteration.share": 1,
    "league.share": 1,
    "league.past": 1,
    "league.partners": 1,
}


def check_ranges(config: Any) -> None:
    """ValueError, in one line, for a number of a `train.config.Config` that cannot be."""
    for path, (least, excluded) in _LEAST.items():
        most = _MOST.get(path, math.inf)
        for number in _numbers(config, path):
            if not math.isfinite(number):
                raise ValueError(f"{path} must be a number, not {number}")
            if number < least or (excluded and number == least):
                bound = "more than" if excluded else "at least"
                raise ValueError(f"{path} must be {bound} {least:g}, not {number}")
            if number > most:
                raise ValueError(f"{path} must be at most {most}, not {number}")


def _numbers(config: Any, path: str) -> tuple[float, ...]:
    """The numbers at a dotted name: one, several, or none."""
    value: Any = config
    for part in path.split("."):
        value = getattr(value, part)
    return value if isinstance(value, tuple) else () if value is None else (value,)
