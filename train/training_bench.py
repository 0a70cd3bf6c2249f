"""What `rung bench` tells of where a training's time goes.

All of it is the time of a processor, on one thread, for a seat-step that is played and learnt from
once: what other programs take of the machine meanwhile is not counted.
"""

import cProfile
import time
from dataclasses import replace

import numpy as np
import torch

from agents.encoding import Encoding, hidden_by_slot
from rungenv import view
from rungenv.vector_env import RungVectorEnv
from train import ppo
from train.config import Config
from train.device import CPU, arithmetic
from train.learner import make_learner
from train.profiling import Functions, seconds_by_part
from train.returns import credit
from train.rollout import Rollout, play_rounds

_COLLECTING: dict[str, Functions] = {
    "rules": (RungVectorEnv.step, RungVectorEnv.reset, RungVectorEnv.take),
    "views": (view.observe, view.hidden_hands),
    "features": (Encoding.order, Encoding.features, Encoding.legal, hidden_by_slot),
    "choosing": (torch.nn.Sequential.forward,),
}


def costs(settings: Config, deals: int, minibatches: int) -> dict[str, float]:
    """Microseconds for a seat-step, by what they are spent on: of playing, then of learning.

    It plays so many deals, and learns from so many minibatches of what was played.
    """
    torch.set_num_threads(1)
    learner = make_learner(replace(settings, threads=1, device="cpu"))
    rng = np.random.default_rng(0)

    def played(first_table: int, n: int) -> Rollout:
        precision = settings.precision
        return play_rounds(
            learner.policy, settings.rules, n, 0, first_table, rng, precision=precision
        )

    played(0, 16)  # what is made once is made by now
    profile = cProfile.Profile(time.thread_time)
    rollout = profile.runcall(played, 16, deals)
    decisions, per_step = len(rollout.player), 1e6 / rollout.steps
    playing = seconds_by_part(profile, _COLLECTING)
    found = {f"playing, {name}": seconds * per_step for name, seconds in playing.items()}

    spent: dict[str, float] = {"judging": 0, "forward": 0, "backward": 0, "optimiser": 0}
    aim = None
    for number in range(minibatches + 1):
        size = min(settings.ppo.minibatch, decisions)
        rows = torch.from_numpy(rng.permutation(decisions)[:size])
        if number == 1:  # the first is not counted
            spent = dict.fromkeys(spent, 0.0)
        with arithmetic(CPU, settings.precision):
            at = time.thread_time()
            with torch.inference_mode():
                learner.critic(rollout.features[:size])
            at = _note(spent, "judging", at)
            if aim is None:
                judged = learner.judgements(rollout)
                found_worth = credit(judged, rollout, settings.ppo.trace, shaping=0.0)
                aim = ppo.aim_at(
                    learner, rollout, found_worth, settings.ppo, settings.ppo.entropy_start
                )
                at = time.thread_time()
            loss, _ = aim.loss(learner.policy, learner.critic, rows)
            at = _note(spent, "forward", at)
        gradients = torch.autograd.grad(loss, learner.parameters)
        at = _note(spent, "backward", at)
        for parameter, gradient in zip(learner.parameters, gradients, strict=True):
            parameter.grad = gradient
        torch.nn.utils.clip_grad_norm_(learner.parameters, settings.ppo.max_gradient)
        learner.optimiser.step()
        _note(spent, "optimiser", at)
    share = decisions * per_step / (minibatches * min(settings.ppo.minibatch, decisions))
    return found | {f"learning, {name}": seconds * share for name, seconds in spent.items()}


def _note(spent: dict[str, float], name: str, since: float) -> float:
    now = time.thread_time()
    spent[name] += now - since
    return now
