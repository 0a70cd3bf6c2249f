"""Which deals the next episodes of the vector environment begin with. No rules."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rungenv.checks import whole
from rungenv.rules import Rules
from rungenv.tables import Tables, deal

HIGHEST_SEED = 2**63 - 1


def deal_episodes(
    rules: Rules,
    tables: Tables | None,
    rows: np.ndarray,
    n: int,
    seed: Any,
    first_table: Any,
    rng: np.random.Generator,
) -> Tables:
    """The tables that some environments get in a reset: Tables of (m,).

    tables: those that all have now, None before the first reset; rows (m,): which of the n are
    reset; seed: None, an int, or a list with an int or None for every environment; first_table: the
    number under it of the first table, or of each table that has a seed of its own, None for 0;
    rng: of new seeds, where there are none yet. ValueError names what is wrong.
    """
    first = whole("first_table", 0 if first_table is None else first_table, 0, 2**62 - n)
    seeds = checked_seed(seed, rows, n)
    if isinstance(seeds, int):
        return deal(rules, rows.size, seeds, first_table=rows + first)
    is_new = np.array([seed is not None for seed in seeds], np.bool_)
    if first_table is not None and not is_new.any():
        raise ValueError(f"first_table={first_table!r} counts tables of a seed: give one")
    if tables is None:
        seeds = [int(rng.integers(HIGHEST_SEED)) if seed is None else seed for seed in seeds]
        return deal(rules, rows.size, seeds, first_table=np.where(is_new, first, 0))
    dealt = tables.take(rows)
    dealt.new_match(~is_new)
    if is_new.any():
        seeds = [seed for seed in seeds if seed is not None]
        dealt.put(is_new, deal(rules, len(seeds), seeds, first_table=np.full(len(seeds), first)))
    return dealt


def is_seed_for_all(seed: Any) -> bool:
    """Whether there is a seed, and one for every environment."""
    return seed is not None and not (_is_list(seed) and any(one is None for one in seed))


def _is_list(seed: Any) -> bool:
    return isinstance(seed, list | tuple) or (isinstance(seed, np.ndarray) and seed.ndim > 0)


def checked_seed(seed: Any, rows: np.ndarray, n: int) -> int | Sequence[int | None]:
    """The seed of a reset: one for all, or those of these rows of n, None where there is none."""
    if seed is None:
        return [None] * rows.size
    if not _is_list(seed):
        return whole("seed", seed, 0, HIGHEST_SEED)
    if len(seed) != n:
        raise ValueError(f"seed must be None, an int or a list of {n} of these, not {seed!r}")
    chosen = [seed[row] for row in rows.tolist()]
    return [one if one is None else whole("seed", one, 0, HIGHEST_SEED) for one in chosen]
