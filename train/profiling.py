"""Where the time of a piece of work goes, as Python's profiler sees it."""

import cProfile
import pstats
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Functions = Sequence[Callable[..., Any]]


def seconds_by_part(profile: cProfile.Profile, parts: Mapping[str, Functions]) -> dict[str, float]:
    """Seconds in the functions of each part, what they call included; the rest as "all else"."""
    # By file, line and name: calls, the same without recursion, own time, all time, callers.
    stats: dict[tuple[str, int, str], Any] = pstats.Stats(profile).stats  # pyright: ignore
    whole = sum(own for _, _, own, _, _ in stats.values())
    found: dict[str, float] = {}
    for name, functions in parts.items():
        codes = [function.__code__ for function in functions]
        keys = [(code.co_filename, code.co_firstlineno, code.co_name) for code in codes]
        found[name] = sum(stats[key][3] for key in keys if key in stats)
    return found | {"all else": whole - sum(found.values())}
