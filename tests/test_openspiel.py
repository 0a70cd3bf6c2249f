"""What of the OpenSpiel adapter needs no OpenSpiel; the rest is in tests/interop."""

import importlib
import sys

import pytest

import rungenv
from rungenv.score import most_paid


def test_without_openspiel_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "rungenv.openspiel", raising=False)
    with pytest.raises(ImportError, match="needs OpenSpiel: pip install open_spiel"):
        importlib.import_module("rungenv.openspiel")


@pytest.mark.parametrize(
    ("game", "points"),
    [
        *(("single_sar", 4), ("double_sar", 4), ("hidden_rung", 4), ("be_ranga", 4)),
        *(("mendikot", 3), ("mendikot_band", 3)),
    ],
)
def test_the_most_that_a_round_pays(game, points):
    assert most_paid(rungenv.variant(game)) == points  # R5.1, R9.4
