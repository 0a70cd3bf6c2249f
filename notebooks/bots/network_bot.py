"""A trained agent without this package: a file of weights, numpy, and the protocol's lines.

    rung arena single_sar "process:python notebooks/bots/network_bot.py WEIGHTS.safetensors" greedy

It shows what an app has to do that plays by a network: turn a request of agents/PROTOCOL.md into
the network's columns, multiply, and take the best of what is legal. Nothing of rungenv is imported,
so all of it can be written in another language, line by line. It plays as `agents.make` would have
the same file play.
"""

import json
import re
import sys

import numpy as np
from safetensors import SafetensorError, safe_open

SUITS, RANKS = "CDHS", "23456789TJQKA"
PHASES = ("CALL", "PARTNER_CALL", "NEW_CARDS", "CHANGE_TRUMP", "PLAY", "OVER")
CALLS = tuple(f"CALL_{suit}" for suit in SUITS)
OTHERS = ("PASS", "TIMEOUT", "REVEAL", "KEEP", "NEW_CARDS")
HIGHEST = {
    **{"pile": 13, "pile_tens": 4, "trick_number": 13, "tricks": 13, "tens": 4, "points": 120},
    **{"kots": 110, "streak": 6, "new_cards_left": 9, "target": 100},
}
"""What the counts are divided by: the column "highest" of the table of fields."""


def cards(names):
    """A list of cards as flags by suit and rank: (4, 13); what is no card leaves none."""
    flags = np.zeros((4, 13), np.float32)
    for name in names:
        if name:
            flags[SUITS.index(name[1]), RANKS.index(name[0])] = 1
    return flags


def suits(names):
    """Suits as flags: (4,)."""
    return np.array([suit in names for suit in SUITS], np.float32)


def one_of(value, size):
    """A small number as flags, none of them for `null`: (size,)."""
    return np.array([value == place for place in range(size)], np.float32)


def by_suit(field, request):
    """A field that speaks of suits, a row for each of them: (4, k); None for another field."""
    legal = request["legal"]
    if field in ("hand", "first_five", "unseen", "winners", "masters"):
        return cards(request[field])
    if field == "legal_cards":
        return cards(name for name in legal if len(name) == 2)
    if field == "my_face_down_set":
        return cards([request["my_face_down"]])
    if field == "shown_set":
        return cards([request["shown"], request["turned_up"]])
    if field == "played":
        return np.concatenate([cards(names) for names in request["played"]], axis=1)
    if field == "trick_sets":  # but the seat to act has no card on the table yet
        return np.concatenate([cards([name]) for name in request["trick"][1:]], axis=1)
    if field in ("led", "trump"):
        return suits([request[field]])[:, None]
    if field == "legal_calls":
        return suits([name[-1] for name in legal if name in CALLS])[:, None]
    if field == "voids":
        return np.stack([suits(names) for names in request["voids"]], axis=1)
    if field == "led_suits":
        led = [[], [], [], []]
        for seat, card in plays(request)[::4]:
            led[seat].append(card[1])
        return np.stack([suits(names) for names in led], axis=1)
    return None


def plays(request):
    """The cards played so far, in order, each with its seat: the last ones of the history."""
    number = sum(map(len, request["played"]))
    cards = [(seat, action) for seat, action in request["history"] if len(action) == 2]
    return cards[len(cards) - number :]


def cutter(request):
    """The seat that played the first card off the led suit; None if nobody has."""
    played = plays(request)
    for number, (seat, card) in enumerate(played):
        if card[1] != played[number // 4 * 4][1][1]:
            return seat
    return None


def suitless(field, request):
    """A field that speaks of no suit: (k,), each from 0 to 1."""
    if field == "phase":
        return one_of(PHASES.index(request["phase"]), len(PHASES))
    if field == "legal_other":
        return np.array([name in request["legal"] for name in OTHERS], np.float32)
    if field in ("trick_size", "holder", "dealer", "caller", "owner", "asker", "waiting"):
        return one_of(request[field], 4)
    if field == "cutter":
        return one_of(cutter(request), 4)
    return np.atleast_1d(np.float32(request[field])) / np.float32(HIGHEST.get(field, 1))


def order_of_suits(request):
    """The trump first, then the suits from the longest that was dealt to the shortest."""
    dealt = cards([*request["hand"], *request["played"][0], request["my_face_down"]])
    weight = dealt @ (2.0**13 + 2.0 ** np.arange(13)) + 2.0**20 * suits([request["trump"]])
    return np.argsort(-weight, kind="stable")


class Network:
    """The weights of a file, and what its header says of them."""

    def __init__(self, path):
        with safe_open(path, "numpy") as file:
            described = json.loads(file.metadata()["network"])
            found = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if described.get("shape", "plain") != "plain":
            raise ValueError(f"{path} holds a network of another shape: {described['shape']}")
        self.fields = described["fields"]
        self.is_sorted = described["suits"] == "sorted"
        numbers = (re.fullmatch(r"policy\.layers\.(\d+)\.weight", name) for name in found)
        self.layers = [
            (found[f"policy.layers.{n}.weight"], found[f"policy.layers.{n}.bias"])
            for n in sorted(int(match[1]) for match in numbers if match)
        ]

    def columns(self, request, order):
        """What the network reads: the suits in this order, then all that belongs to none."""
        of_suits = [by_suit(field, request) for field in self.fields]
        rest = [
            suitless(field, request)
            for field, rows in zip(self.fields, of_suits, strict=True)
            if rows is None
        ]
        rows = np.concatenate([rows for rows in of_suits if rows is not None], axis=1)
        return np.concatenate([rows[order].ravel(), *rest])

    def logits(self, request, order):
        """A number for each of its 61 choices: 4 x 13 cards and 4 calls by slot, and the rest."""
        values = self.columns(request, order)
        *hidden, (weight, bias) = self.layers
        for inner_weight, inner_bias in hidden:
            values = np.maximum(inner_weight @ values + inner_bias, 0)
        return weight @ values + bias

    def act(self, request):
        """The legal action that the network likes best."""
        order = order_of_suits(request) if self.is_sorted else np.arange(4)
        logits = self.logits(request, order)
        slot = {SUITS[suit]: slot for slot, suit in enumerate(order)}

        def liking(action):
            if action in OTHERS:
                return logits[56 + OTHERS.index(action)]
            if action in CALLS:
                return logits[52 + slot[action[-1]]]
            return logits[13 * slot[action[1]] + RANKS.index(action[0])]

        return max(request["legal"], key=liking)


def main(path):
    """Answer the protocol's requests until there are no more."""
    network = Network(path)
    greeting = json.loads(sys.stdin.readline())
    if greeting["layout"] != 1:
        sys.exit(f"the views are of layout {greeting['layout']}, and this reads 1")
    print("rung 1 network_bot", flush=True)
    for line in sys.stdin:
        print(network.act(json.loads(line)), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: network_bot.py WEIGHTS.safetensors, and lines of the protocol as input")
    try:
        main(sys.argv[1])
    except (OSError, SafetensorError, ValueError) as error:
        sys.exit(f"network_bot.py: {error}")
