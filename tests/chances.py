"""Random play, and whether counts are what chance would have made them."""

import numpy as np

from rungenv.actions import NEW_CARDS, PASS, REVEAL, TIMEOUT


def random_actions(tables, rng):
    """Random legal actions, rare ones more often; a table that is over gets a 0."""
    liking = np.ones(61)
    liking[[PASS, TIMEOUT, REVEAL, NEW_CARDS]] = 1.5, 3, 1.5, 0.7
    keys = tables.legal_mask() * rng.random((len(tables), 61)) ** (1 / liking)
    return keys.argmax(axis=1)


def assert_as_likely(seen, expected):
    """A chi-square test at five standard deviations of its statistic."""
    assert (expected > 0).all()
    expected = expected * seen.sum() / expected.sum()
    statistic = ((seen - expected) ** 2 / expected).sum()
    degrees = len(seen) - 1
    assert statistic < degrees + 5 * np.sqrt(2 * degrees) + 10, (statistic, degrees)
