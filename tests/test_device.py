"""Learning elsewhere than on the processor, and in fewer bits."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import agents
import rungenv
from agents import network
from test_resume import break_off_after
from train import checkpoint, config, ppo, start
from train.device import arithmetic, device_of
from train.learner import make_learner
from train.loop import train
from train.returns import credit
from train.rollout import play_rounds

SMALL = {
    "network": {"hidden": [64, 64], "critic_hidden": [64, 64]},
    "ppo": {"deals": 8, "minibatch": 128},
    "budget": {"total_steps": 1500},
    "report": {"pairs": 0},
    "threads": 1,
}
HAS_GPU = torch.cuda.is_available()
needs_gpu = pytest.mark.skipif(not HAS_GPU, reason="torch finds no GPU on this machine")
needs_none = pytest.mark.skipif(HAS_GPU, reason="there is a GPU on this machine")


def settings_of(**told):
    return config.load(None, SMALL | told)


def played(settings, deals=16):
    learner = make_learner(settings)
    rng = np.random.default_rng(0)
    precision = settings.precision
    return learner, play_rounds(
        learner.policy, settings.rules, deals, 0, 0, rng, precision=precision
    )


def loss_and_gradient(learner, settings, rollout):
    found = credit(learner.judgements(rollout), rollout, 0.9, 0.0)
    aim = ppo.Surrogate(
        rollout.on(learner.device),
        advantage=learner.tensor(ppo.normalised(found.advantage, learner.ranks)),
        value=learner.tensor(found.target),
        clip=0.2,
        entropy_weight=0.05,
        critic_weight=0.5,
        cards_weight=settings.ppo.cards_weight,
    )
    rows = torch.arange(len(aim), device=learner.device)
    with arithmetic(learner.device, settings.precision):
        loss, report = aim.loss(learner.policy, learner.critic, rows)
    gradient = torch.autograd.grad(loss, learner.parameters)
    return loss.detach(), report, torch.cat([part.ravel() for part in gradient])


@needs_none
def test_without_a_gpu_auto_is_the_processor_and_cuda_is_refused(tmp_path):
    assert device_of("auto") == device_of("cpu") == torch.device("cpu")
    with pytest.raises(ValueError, match="device must be cpu or auto, not cuda"):
        train(settings_of(device="cuda"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"device": "gpu"}, "device must be one of cpu, cuda, auto, not 'gpu'"),
        ({"precision": "float16"}, "precision must be one of float32, bfloat16, not 'float16'"),
    ],
)
def test_unknown_devices_and_precisions_are_refused(told, message):
    with pytest.raises(ValueError, match=message):
        settings_of(**told)


@needs_none
def test_a_run_begun_on_a_gpu_is_an_agent_anywhere_and_goes_on_without_one(tmp_path):
    begun = settings_of(device="cuda")
    begun = replace(begun, budget=replace(begun.budget, total_steps=300))
    state = train(replace(begun, device="cpu"), tmp_path)
    _, learner, _ = checkpoint.load(tmp_path)
    checkpoint.save(
        tmp_path, begun, learner, state
    )  # as a machine with a GPU would have written it
    assert checkpoint.load(tmp_path)[0].device == "cuda"
    view = rungenv.observe(rungenv.deal(begun.rules, 3, seed=0))
    assert view.legal_mask()[np.arange(3), agents.make(str(tmp_path)).act(view, None)].all()
    further = ["--resume", str(tmp_path), "--budget.total-steps", "700"]
    with pytest.raises(ValueError, match="torch finds no GPU"):
        start.main(further)
    assert start.main([*further, "--device", "cpu"]) == 0
    assert checkpoint.load(tmp_path)[2].steps >= 700


@pytest.mark.parametrize("critic", ["value", "q"])
@pytest.mark.parametrize("shape", ["plain", "residual"])
def test_bfloat16_learns_what_float32_does_within_its_rounding(critic, shape):
    exact = settings_of(
        ppo={"critic": critic, "cards_weight": 0.5},
        network=SMALL["network"] | {"shape": shape},
    )
    rounded = replace(exact, precision="bfloat16")
    learner, rollout = played(exact)
    loss, report, gradient = loss_and_gradient(learner, exact, rollout)
    again = make_learner(rounded)
    loss_16, report_16, gradient_16 = loss_and_gradient(again, rounded, rollout)
    assert gradient_16.dtype == torch.float32
    assert not torch.equal(gradient, gradient_16), "it does round"
    torch.testing.assert_close(loss_16, loss, atol=0.02, rtol=0.02)
    torch.testing.assert_close(report_16, report, atol=0.02, rtol=0.02)
    assert torch.cosine_similarity(gradient, gradient_16, dim=0) > 0.99


def test_a_policy_learns_in_the_precision_that_it_plays_in():
    """Else every update would begin with choices that have become likelier by mere rounding."""
    settings = settings_of(precision="bfloat16")
    learner, rollout = played(settings)
    _, report, _ = loss_and_gradient(learner, settings, rollout)
    torch.testing.assert_close(rollout.chances.sum(dim=1), torch.ones(len(rollout.player)))
    assert report[3] < 1e-5, "no divergence before the first step"
    assert report[4] == 0
    ppo.update(learner, rollout, settings.ppo, 1e-3, 0.05, 0.0, np.random.default_rng(0))
    assert {parameter.dtype for parameter in learner.parameters} == {torch.float32}


@needs_gpu
def test_a_gpu_learns_what_the_processor_does():
    exact = settings_of()
    learner, rollout = played(exact)
    loss, report, gradient = loss_and_gradient(learner, exact, rollout)
    there = replace(exact, device="cuda")
    found = loss_and_gradient(make_learner(there), there, rollout)
    for value, expected in zip(found, (loss, report, gradient), strict=True):
        torch.testing.assert_close(value.cpu(), expected, atol=1e-4, rtol=1e-3)


@needs_gpu
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_a_broken_run_on_a_gpu_ends_as_an_unbroken_one(tmp_path, monkeypatch, precision):
    settings = settings_of(device="cuda", precision=precision)
    train(settings, tmp_path / "straight")
    with monkeypatch.context() as patch:
        break_off_after(patch, 2)
        stopped = train(settings, tmp_path / "broken")
    assert stopped.updates == 2
    resumed = train(settings, tmp_path / "broken")
    assert resumed.updates > 2
    expected, found = (network.read(tmp_path / name)[0] for name in ("straight", "broken"))
    assert all(torch.equal(expected[name], found[name]) for name in expected)
