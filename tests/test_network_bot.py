"""notebooks/bots/network_bot.py: a network played without this package, from the protocol alone."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import agents
import rungenv
from agents import network, protocol
from agents.derived import DERIVED
from test_agents import mixed_view

WEIGHTS = Path(agents.__file__).parent / "zoo" / "single_sar.safetensors"
BOT = Path(__file__).parent.parent / "notebooks" / "bots" / "network_bot.py"
sys.path.insert(0, str(BOT.parent))

from network_bot import Network  # noqa: E402


@pytest.fixture(params=["sorted", "as_dealt", "shuffled"])
def policy(request):
    """A network that reads every field of a view, and likes some actions clearly better."""
    torch.manual_seed(0)
    made = network.PolicyNetwork((*rungenv.FIELDS, *DERIVED), (16, 16), request.param)
    torch.nn.init.normal_(made.layers[-1].weight)
    return made


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_it_reads_and_plays_as_the_package_does(game, policy, tmp_path):
    rules = rungenv.variant(game, new_cards=1)
    path = tmp_path / "agent.safetensors"
    path.write_bytes(network.to_bytes(*network.pack(policy, rules)))
    theirs, ours = network.load(path), Network(path)

    view = mixed_view(rules, n=40)
    encoding = policy.encoding
    order = encoding.order(view)
    columns = encoding.features(view, order) * encoding.scale()
    actions = theirs.act(view, np.random.default_rng(0))
    assert len(view) > 30
    for row, line in enumerate(protocol.requests(view, [0] * len(view))):
        request = json.loads(line)
        np.testing.assert_allclose(ours.columns(request, order[row]), columns[row], atol=1e-6)
        assert ours.act(request) == rungenv.action_name(actions[row])


def test_a_network_of_another_shape_is_refused(tmp_path):
    path = tmp_path / "agent.safetensors"
    made = network.PolicyNetwork(("hand", "phase"), (8, 8), "sorted", shape="residual")
    path.write_bytes(network.to_bytes(*network.pack(made, rungenv.Rules())))
    with pytest.raises(ValueError, match="another shape: residual"):
        Network(path)


def test_as_a_program_it_plays_like_the_zoos_agent():
    zoo = agents.make("zoo/single_sar")
    weights = agents.zoo.weights("zoo/single_sar")
    bot = agents.make(f"process:{sys.executable} {BOT} {weights}")
    view = mixed_view(rungenv.variant("single_sar"), n=16)
    rng = np.random.default_rng(0)
    try:
        assert bot.act(view, rng).tolist() == zoo.act(view, rng).tolist()
    finally:
        bot.close()


@pytest.mark.parametrize(
    ("arguments", "line", "message"),
    [
        ([], "", "usage: network_bot.py WEIGHTS.safetensors"),
        (["none.safetensors"], "", "none.safetensors"),
        ([WEIGHTS], "what?", "Expecting value"),
        ([WEIGHTS], "", "Expecting value"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments, line, message):
    command = [sys.executable, BOT, *arguments]
    told = subprocess.run(command, input=line, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert message in told.stderr
    assert told.stderr.count("\n") == 1
