"""What a model card says an agent is worth: figures of the arena, on the same deals."""

import json

import numpy as np
import pytest

import agents
import rungenv
from train import arena, deals, marks

SMALL = ["--pairs", "30", "--partner-pairs", "24", "--search-pairs", "2", "--worlds", "2"]


def measured(tmp_path, game, agent, *more):
    marks.main([game, agent, "--out", str(tmp_path / "marks"), *SMALL, *more])
    return json.loads((tmp_path / "marks" / "marks.json").read_text("utf-8"))


def test_the_figures_are_those_of_duels_on_test_deals(tmp_path):
    found = measured(tmp_path, "mendikot", "greedy", "--only", "ladder", "partners")
    rules, seed = rungenv.variant("mendikot"), deals.seed("test")

    def duel(a, b, pairs):
        return arena.duel(rules, agents.make(a), agents.make(b), pairs, seed=seed)

    rows = {(row["agent"], row["against"]): row for row in found["rows"]}
    assert [row["group"] for row in found["rows"]] == ["ladder"] * 3 + ["partners"] * 3
    for (a, b), pairs in (
        (("greedy", "random"), 30),
        (("greedy", "expert"), 30),
        (("pair:greedy+greedy", "expert"), 24),
        (("pair:expert+greedy", "expert"), 24),
    ):
        score, row = duel(a, b, pairs), rows[a, b]
        assert (row["points"], row["pairs"], row["win"]) == (score.points, pairs, score.win)
        assert (row["low"], row["high"]) == pytest.approx((score.low, score.high))
    assert found["calls"] == [], "nobody calls at mendikot"


def test_partners_are_compared_pair_by_pair(tmp_path):
    found = measured(tmp_path, "single_sar", "expert", "--only", "partners")
    same = found["rows"][-1]
    assert same["agent"] == "pair:expert+greedy less pair:expert+greedy"
    assert (same["points"], same["low"], same["high"]) == (0, 0, 0), "it is the same team"

    other = measured(tmp_path / "other", "single_sar", "random", "--only", "partners")
    one, two, less = other["rows"]
    assert less["points"] == pytest.approx(one["points"] - two["points"])
    wide = np.hypot(one["high"] - one["low"], two["high"] - two["low"])
    assert less["high"] - less["low"] != pytest.approx(wide), "not as of other deals"


def test_what_is_played_is_not_played_again(tmp_path, monkeypatch):
    first = measured(tmp_path, "single_sar", "greedy", "--only", "ladder")
    assert first["calls"][0]["agent"] == "greedy"
    assert first["calls"][0]["asked"] == 3 * 30
    for path in (tmp_path / "marks" / "ladder-1").rglob("*.npz"):
        path.unlink()  # as if it had been stopped there

    def played(pieces, make=None):
        assert {(piece.a, piece.b) for piece in pieces} <= {("greedy", "greedy")}
        return marks_run_here(pieces, make)

    marks_run_here = marks.run_here
    monkeypatch.setattr(marks, "run_here", played)
    assert measured(tmp_path, "single_sar", "greedy", "--only", "ladder") == first
    with pytest.raises(ValueError, match="holds another tournament"):
        measured(tmp_path, "single_sar", "random", "--only", "ladder")


@pytest.mark.parametrize("caution", [2.0, 0.5])
def test_search_has_the_agent_for_its_prior_and_in_its_rollouts(tmp_path, caution):
    told = ("--only", "search", "--caution", str(caution))
    found = measured(tmp_path, "be_ranga", "greedy", *told)
    searching = f"search:worlds=2,caution={caution},rollout=greedy,prior=greedy"
    assert [(row["agent"], row["against"]) for row in found["rows"]] == [
        ("greedy", "search:worlds=2"),
        (agents.make(searching).name, "greedy"),
        (agents.make(searching).name, "search:worlds=2"),
    ]


def test_wrong_names_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"no group of marks is called 'partner'.*partners"):
        measured(tmp_path, "single_sar", "greedy", "--only", "partner")
    with pytest.raises(ValueError, match="no agent is called 'gredy'"):
        measured(tmp_path, "single_sar", "gredy")
    assert not (tmp_path / "marks").exists()
