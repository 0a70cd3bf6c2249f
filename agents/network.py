"""The agent that plays by a policy network, and the file that both live in.

A file is safetensors: tensors, and a header of text that says what they are, the rules among it.
Training's checkpoints (`train/checkpoint.py`) hold a policy in the same form, and more besides.
"""

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import safetensors
import torch
from safetensors.torch import save

from agents.axes import refuse_other_game
from agents.files import BEST, CHECKPOINT
from agents.policy import PolicyNetwork, only_legal, sample
from rungenv.actions import N_ACTIONS
from rungenv.bits import count, lowest
from rungenv.layout import LAYOUT_VERSION
from rungenv.rules import Rules
from rungenv.view import View

FORMAT = "rungenv network 1"


class NetworkAgent:
    """Plays what its network likes best, or with `temperature` t draws by softmax(logits / t).

    rules: of the game that it was trained for, or of each if there are several.
    """

    def __init__(
        self,
        network: PolicyNetwork,
        rules: Rules | Sequence[Rules],
        name: str,
        temperature: float = 0.0,
    ) -> None:
        if temperature < 0:
            raise ValueError(f"temperature must be 0 or more, not {temperature}")
        self.network = network
        self.rules = rules
        self.trained_for = _each(rules)
        self.name = name
        self.temperature = temperature

    @property
    def deterministic(self) -> bool:
        """Whether a choice is a function of the view: without temperature nothing is drawn."""
        return self.temperature == 0

    @torch.inference_mode()
    def chances(self, view: View) -> np.ndarray:
        """How likely its network takes each action: (n, 61) float64, rows that sum to 1.

        By softmax(logits / t), with 1 for a temperature of 0.
        """
        refuse_other_game(self, view.rules)
        encoding = self.network.encoding
        order = encoding.order(view)
        logits = self.network(torch.from_numpy(encoding.features(view, order)))
        legal = torch.from_numpy(encoding.legal(view, order))
        by_choice = only_legal(logits / (self.temperature or 1.0), legal).softmax(dim=1).numpy()
        choices = np.tile(np.arange(N_ACTIONS), len(view))
        actions = encoding.actions(choices, order.repeat(N_ACTIONS, axis=0))
        chances = np.zeros((len(view), N_ACTIONS))
        np.put_along_axis(chances, actions.reshape(len(view), -1), by_choice, axis=1)
        return chances

    @torch.inference_mode()
    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """(n,) int64 legal actions; ValueError for a game other than the one trained for."""
        refuse_other_game(self, view.rules)
        actions = lowest(view.legal).astype(np.int64)
        free = np.flatnonzero(count(view.legal) > 1)  # a network need not be asked for the others
        fractions = rng.random(len(view))[free] if self.temperature else None
        actions[free] = self._chosen(view.take(free), fractions)
        return actions

    def _chosen(self, view: View, fractions: np.ndarray | None) -> np.ndarray:
        """Actions that it likes best, or with a random number for each row draws: (n,) int64."""
        encoding = self.network.encoding
        order = encoding.order(view)
        legal = torch.from_numpy(encoding.legal(view, order))
        logits = self.network(torch.from_numpy(encoding.features(view, order)))
        if fractions is None:
            choices = only_legal(logits, legal).argmax(dim=1).numpy()
        else:
            chances = only_legal(logits / self.temperature, legal).softmax(dim=1)
            choices = sample(chances.numpy(), fractions)
        return encoding.actions(choices, order)


def pack(
    network: PolicyNetwork, rules: Rules | Sequence[Rules]
) -> tuple[dict[str, torch.Tensor], dict[str, str]]:
    """A policy and the rules of its game, or of each, as tensors and header for `to_bytes`."""
    tensors = {f"policy.{name}": value for name, value in network.state_dict().items()}
    described = [dataclasses.asdict(each) for each in _each(rules)]
    header = {
        "network": json.dumps(network.description()),
        "rules": json.dumps(described if len(described) > 1 else described[0]),
    }
    return tensors, header


def to_bytes(tensors: Mapping[str, torch.Tensor], header: Mapping[str, str]) -> bytes:
    """A file's contents, which `read` takes apart: format, layout and checksum are added."""
    tensors = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
    known = {"format": FORMAT, "layout_version": str(LAYOUT_VERSION), **header}
    return save(tensors, metadata={**known, "sha256": _digest(tensors, known)})


def read(path: Path | str) -> tuple[dict[str, torch.Tensor], dict[str, str]]:
    """Tensors and header of a file, or of a run folder's checkpoint, once they are found sound.

    ValueError, in one line, for a file that is missing, foreign, damaged or of another layout.
    """
    path = Path(path)
    path = path / CHECKPOINT if path.is_dir() else path
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            header = dict(file.metadata() or {})
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (safetensors.SafetensorError, OSError) as error:
        raise ValueError(f"{path} is damaged, or is no safetensors file: {error}") from None
    if header.get("format") != FORMAT:
        raise ValueError(f"{path} holds something else than a {FORMAT!r}, which this reads")
    if header.pop("sha256", None) != _digest(tensors, header):
        raise ValueError(f"{path} is damaged: its checksum does not fit")
    if header["layout_version"] != str(LAYOUT_VERSION):
        raise ValueError(
            f"{path} was trained on layout version {header['layout_version']} of the view; "
            f"this rungenv has version {LAYOUT_VERSION}"
        )
    return tensors, header


def unpack_policy(
    tensors: Mapping[str, torch.Tensor], header: Mapping[str, str]
) -> tuple[PolicyNetwork, Rules | tuple[Rules, ...]]:
    """The network of what `read` gave, and the rules of its game, or of each."""
    network = PolicyNetwork(**json.loads(header["network"]))
    prefix = "policy."
    weights = {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}
    network.load_state_dict(weights)
    rules = json.loads(header["rules"])
    if isinstance(rules, list):
        return network.eval(), tuple(Rules(**each) for each in rules)
    return network.eval(), Rules(**rules)


def read_best(path: Path | str) -> tuple[dict[str, torch.Tensor], dict[str, str]]:
    """What `read` gives for a file, or for the best (else the last) of a run folder."""
    best = Path(path) / BEST
    return read(best if best.is_file() else path)


def load(path: Path | str, temperature: float = 0.0, name: str | None = None) -> NetworkAgent:
    """The agent in a file, or the best (else the last) of a run folder; its name is by default the
    path, and says the temperature if it has any.

    ValueError, in one line, for a file that holds none; see `read`.
    """
    network, rules = unpack_policy(*read_best(path))
    name = str(path) if name is None else name
    name = name if temperature == 0 else f"{name}:temperature={temperature}"
    return NetworkAgent(network, rules, name, temperature)


def _each(rules: Rules | Sequence[Rules]) -> tuple[Rules, ...]:
    return (rules,) if isinstance(rules, Rules) else tuple(rules)


def _digest(tensors: Mapping[str, torch.Tensor], header: Mapping[str, str]) -> str:
    digest = hashlib.sha256(json.dumps(dict(sorted(header.items()))).encode())
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].numpy().tobytes())
    return digest.hexdigest()
