"""A run that begins as a trained agent: its weights are the first of the policy (`clone.weights`).

The critic of an agent is not kept with it. So the policy had better imitate the agent for a while
(`clone.agent`), from which the critic learns how its rounds end, before it learns by that critic.
"""

from typing import Any

import torch

from agents import network, zoo
from train.learner import Learner


def begin_as(learner: Learner, name: str) -> None:
    """Give the learner's policy an agent's weights: of a run's folder, a file, or the zoo.

    ValueError, with what differs, for an agent whose network is another.
    """
    path = zoo.weights(name) if name.startswith(zoo.PREFIX) else name
    policy, _ = network.unpack_policy(*network.read_best(path))
    theirs, ours = policy.description(), learner.policy.description()
    for key, value in theirs.items():
        if value != ours[key] and key != "guesses_cards":
            raise ValueError(f"{name} is another network: {_difference(key, value, ours[key])}")
    weights = dict(learner.policy.state_dict())
    own = policy.state_dict()
    with torch.no_grad():
        for key in weights.keys() & own.keys():
            weights[key].copy_(own[key])


def _difference(key: str, theirs: Any, ours: Any) -> str:
    """In what two networks differ, in words; of fields, those that only one of them reads."""
    if key != "fields":
        return f"its {key} is {theirs}, not {ours}"
    said = []
    for words, names in (
        ("it reads {} besides: add them by network.more_fields", set(theirs) - set(ours)),
        ("it does not read {}: network.fields names all that are read", set(ours) - set(theirs)),
    ):
        said += [words.format(", ".join(sorted(names)))] if names else []
    return "; ".join(said) or "it reads its fields in another order"
