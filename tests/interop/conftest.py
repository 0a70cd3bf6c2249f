"""What the interop tests share: the scripts they run, and no illegal action from any trainer."""

import os
import sys
from pathlib import Path

import pytest
from pettingzoo.utils.env_logger import EnvLogger

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

SCRIPTS = Path(__file__).parents[2] / "notebooks" / "interop"
sys.path.insert(0, str(SCRIPTS))


@pytest.fixture(autouse=True)
def _no_trainer_chooses_an_illegal_action(monkeypatch):
    """PettingZoo's wrapper would end the episode with a warning: here that fails the test."""

    def fail():
        raise AssertionError("a trainer chose an illegal action")

    monkeypatch.setattr(EnvLogger, "warn_on_illegal_move", staticmethod(fail))
