"""The layers of networks: what a shape promises, and that it comes back from a file."""

import numpy as np
import pytest
import torch

from agents import network
from agents.layers import SHAPES, residual
from rungenv import variant
from train import config
from train.learner import make_learner
from train.loop import train
from train.settings import fields_for


@pytest.mark.parametrize("shape", SHAPES)
def test_columns_are_scaled_and_every_layer_is_there(shape):
    torch.manual_seed(0)
    scale = np.array([1.0, 0.5, 0.1], np.float32)
    layers = SHAPES[shape](scale, (8, 8, 8, 5), last_gain=1.0)
    columns = torch.tensor([[1, 2, 10], [0, 1, 5]], dtype=torch.uint8)
    equal = SHAPES[shape](np.ones(3, np.float32), (8, 8, 8, 5), last_gain=1.0)
    equal.load_state_dict(layers.state_dict())
    scaled = torch.from_numpy(columns.numpy() * scale)
    assert layers(columns).shape == (2, 5)
    torch.testing.assert_close(layers(columns), equal(scaled))
    with torch.no_grad():
        before = layers(columns)
        for parameter in layers.parameters():
            parameter += 0.01
        assert (layers(columns) != before).all()


def test_residual_blocks_begin_as_the_identity():
    torch.manual_seed(0)
    deep = residual(np.ones(6, np.float32), (16, 16, 16, 4), last_gain=1.0)
    shallow = residual(np.ones(6, np.float32), (16, 4), last_gain=1.0)
    first, *_, last = deep.children()
    shallow[0].load_state_dict(first.state_dict())
    shallow[-1].load_state_dict(last.state_dict())
    columns = torch.randint(0, 2, (10, 6), dtype=torch.uint8)
    torch.testing.assert_close(deep(columns), shallow(columns))


def test_residual_layers_are_of_one_size():
    with pytest.raises(ValueError, match="layers of one size, not \\(8, 9\\)"):
        residual(np.ones(3, np.float32), (8, 9, 2), last_gain=1.0)
    with pytest.raises(ValueError, match="residual layers must be of one size"):
        config.load(None, {"network": {"shape": "residual", "hidden": [8, 9]}})


def test_a_residual_network_trains_and_comes_back_from_its_file(tmp_path):
    small = {"shape": "residual", "hidden": [16, 16], "critic_hidden": [16, 16]}
    settings = config.load(
        None,
        {
            "game": "mendikot",
            "network": small,
            "ppo": {"deals": 8},
            "budget": {"total_steps": 900},
            "report": {"pairs": 0},
            "threads": 2,
        },
    )
    train(settings, tmp_path)
    policy = network.load(tmp_path).network
    assert policy.shape == "residual"
    fresh = make_learner(settings).policy
    moved = [
        name
        for name, value in policy.state_dict().items()
        if not torch.equal(value, fresh.state_dict()[name])
    ]
    assert len(moved) == len(policy.state_dict()), "all layers learn"


def test_a_file_without_a_shape_is_of_a_plain_network(tmp_path):
    policy = network.PolicyNetwork(fields_for(variant("mendikot")), (8,), "sorted")
    tensors, header = network.pack(policy, variant("mendikot"))
    header["network"] = header["network"].replace(', "shape": "plain"', "")
    (tmp_path / "old.safetensors").write_bytes(network.to_bytes(tensors, header))
    assert network.load(tmp_path / "old.safetensors").network.shape == "plain"
