"""How strength grows with worlds: what is played is kept, gone on with, and told with intervals."""

from pathlib import Path

import numpy as np
import pytest

import agents
import rungenv
from agents import registry
from agents.greedy import Greedy
from rungenv.bits import lowest
from train import arena, deals
from train.arena import search_strength


class Counts(Greedy):
    """No search, which would take its time: plays its lowest card in one trick of `worlds`."""

    def __init__(self, worlds: int = 1) -> None:
        self.name = f"counts:worlds={worlds}"
        self.worlds = worlds

    def act(self, view, rng):
        is_low = view.trick_number % self.worlds == 0
        return np.where(is_low, lowest(view.legal).astype(np.int64), super().act(view, rng))


LINE = ["be_ranga", "--against", "greedy", "--deals", "validation", "--worlds", "1", "2"]


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(search_strength, "PIECE", 2)
    monkeypatch.setattr(registry, "_factories", dict(registry._factories))
    agents.register("counts", Counts)


def test_what_is_played_is_kept_and_gone_on_with(capsys):
    path = Path("strength.jsonl")
    line = [*LINE, "--results", str(path), "--agent", "counts"]
    assert search_strength.main([*line, "--pairs", "2"]) == 0
    before = path.read_text("utf-8")
    assert search_strength.main([*line, "--pairs", "4", "--picture", "strength.png"]) == 0
    after = path.read_text("utf-8")
    assert after.startswith(before)
    assert len(before.splitlines()) == 2
    assert len(after.splitlines()) == 4
    assert Path("strength.png").read_bytes().startswith(b"\x89PNG")
    table = capsys.readouterr().out.splitlines()[-1]

    score = arena.duel(
        rungenv.variant("be_ranga"),
        agents.make("counts:worlds=2"),
        agents.make("greedy"),
        4,
        seed=deals.seed("validation"),
    )
    assert f"{score.points:+.3f} ± {(score.high - score.low) / 2:.3f} | 4 |" in table


def test_pieces_and_payoffs_are_those_of_their_lines():
    lines = [
        {
            **{"game": "mendikot", "worlds": worlds, "start": start, "stop": start + 2},
            "payoffs": [start + worlds, 0.0],
        }
        for start in (2, 0)
        for worlds in (64, 4)
    ]
    found = search_strength.payoffs(lines)
    assert {key: values.tolist() for key, values in found.items()} == {
        ("mendikot", 4): [4.0, 0.0, 6.0, 0.0],
        ("mendikot", 64): [64.0, 0.0, 66.0, 0.0],
    }
    table = search_strength.table(lines).splitlines()
    assert table[0] == "| game | 4 worlds | 64 worlds | pairs |"
    assert f"{np.mean([4, 0, 6, 0]):+.3f}" in table[2]


def test_other_deals_other_agents_and_pairs_there_already_add_nothing(capsys):
    line = [*LINE, "--worlds", "1", "--results", "strength.jsonl"]
    told = {}
    for agent, more in (
        ("counts", "--pairs 3"),
        ("counts", "--pairs 5"),
        ("counts", "--pairs 2 --deals test"),
        ("search:prior=None,rollout=random,exact=0", "--pairs 2"),
        ("counts", "--pairs 4"),
    ):
        assert search_strength.main([*line, "--agent", agent, *more.split()]) == 0
        told[agent, more] = capsys.readouterr().out.splitlines()[-1]
    counts = [line.rstrip(" |").rsplit("| ", 1)[1] for line in told.values()]
    assert counts == ["3", "5", "2", "2", "5"], "pairs that were played are told of"
    assert told["counts", "--pairs 4"] == told["counts", "--pairs 5"]


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_played(tmp_path):
    (tmp_path / "folder.png").mkdir()
    with pytest.raises((ValueError, OSError), match=r"folder\.png"):
        search_strength.main([*LINE, "--pairs", "2", "--picture", "folder.png"])
    assert not Path("runs", "search_strength.jsonl").exists()
