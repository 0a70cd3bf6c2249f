"""Which deals are for what: training, validation and test share none.

A deal is fixed by a seed, a table number and a round number (`rungenv.deal`). The seeds that
`rungenv.deal` takes, 0 to 2**63 - 1, are parted here among three purposes, and each purpose has
numbered sets, one a seed; within a set the deals are its tables 0, 1, 2 ... Set 0 of "validation"
and set 0 of "test" are the published ones, the same for everybody: figures from "validation"
choose between agents, figures from "test" are reported, and training sees neither.
"""

from rungenv.rules import nearest

_SPACE = 2**61
"""Seeds of one purpose."""
HIGHEST = _SPACE - 1
"""The highest number of a set."""

SPACES: dict[str, range] = {
    "training": range(0, _SPACE),
    "validation": range(_SPACE, 2 * _SPACE),
    "test": range(2 * _SPACE, 3 * _SPACE),
}
"""The seeds of each purpose, for `rungenv.deal(..., seed=)`."""


def seed(purpose: str, number: int = 0) -> int:
    """The seed of a numbered set of deals; ValueError for an unknown purpose or number.

    >>> seed("training", 7), seed("validation") in SPACES["validation"]
    (7, True)
    """
    if purpose not in SPACES:
        raise ValueError(f"no deals are called {purpose!r}{nearest(purpose, tuple(SPACES))}")
    if not 0 <= number < _SPACE:
        raise ValueError(f"a set of deals has a number from 0 to 2**61 - 1, not {number}")
    return SPACES[purpose][number]


def purpose_of(seed: int) -> str | None:
    """What the deals of a seed are for; None for seeds that are nobody's.

    >>> purpose_of(0), purpose_of(2**61)
    ('training', 'validation')
    """
    return next((purpose for purpose, seeds in SPACES.items() if seed in seeds), None)
