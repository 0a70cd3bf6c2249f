"""Writes tests/golden/*.txt with the reference engine: `python tests/write_golden.py`.

Each file is one round that shows something of its game, found by a seeded search, so that the
files come out the same until the rules or this script change.
"""

import itertools
import random
from pathlib import Path

from reference import CALL, GAMES, KEEP, REVEAL, Table, deal_from_pack, name, partner, team

GOLDEN = Path(__file__).parent / "golden"


def steps(game):
    """Pairs of the table before and after each action of a round that was played."""
    table = Table(game.options, game.dealer, game.deals)
    for _, action in game.history:
        before = table.copy()
        table.act(action)
        yield before, table.copy()


def some(condition):
    return lambda game: any(condition(before, after) for before, after in steps(game))


def changes_trump(before, after):
    return before.phase == "CHANGE_TRUMP" and after.history[-1][1] != KEEP


def blocked_aces(before, after):
    return (
        before.waiting_ace and after.waiting_ace and after.waiting == before.waiting == after.taker
    )


def shown_at_a_lead(before, after):
    return after.must_trump and after.led is None


# file: what it shows, its options, and what must be true of the round played
WANTED = {
    "single_sar_1": (
        "the callers win",
        {},
        lambda g: g.kind == "WIN" and g.winner != team(g.dealer),
    ),
    "single_sar_2": (
        "nobody calls, a card is turned up, and the others make a goon kot",
        {},
        lambda g: g.turned_up is not None and g.kind == "GOON_KOT",
    ),
    "single_sar_3": (
        "new cards for one seat, then a change of trump",
        {"new_cards": (1, 1, 1, 1), "change_trump": True},
        lambda g: g.redeal == 1 and some(changes_trump)(g),
    ),
    "double_sar_1": ("a pile of six", {}, some(lambda before, after: after.pile == 6)),
    "double_sar_2": ("two aces in a row pick nothing up", {}, some(blocked_aces)),
    "double_sar_3": (
        "the last trick decides",
        {"no_late_pickup": True},
        lambda g: g.trick_number == 13 and max(g.tricks) < 12,
    ),
    "hidden_rung_1": (
        "a seat that is void asks for the trump",
        {},
        lambda g: g.asker not in (None, g.owner) and not g.timed_out,
    ),
    "hidden_rung_2": (
        "the owner shows a trump that it has not seen, and leads it",
        {},
        lambda g: g.timed_out and some(shown_at_a_lead)(g),
    ),
    "hidden_rung_3": (
        "the trump is changed, and never shown",
        {"change_trump": True},
        lambda g: g.asker is None and some(changes_trump)(g),
    ),
    "be_ranga_1": ("the callers win", {}, lambda g: g.winner != team(g.dealer)),
    "be_ranga_2": ("a goon kot", {"scoring": "kots"}, lambda g: g.kind == "GOON_KOT"),
    "be_ranga_3": ("seven tricks to six", {}, lambda g: g.trick_number == 13),
    "mendikot_1": ("three tens", {}, lambda g: g.kind == "MENDI" and g.trick_number > 6),
    "mendikot_2": ("all four tens", {}, lambda g: g.kind == "MENDIKOT"),
    "mendikot_3": ("two tens each, played out", {"play_out": True}, lambda g: g.kind == "TRICKS"),
    "mendikot_band_1": (
        "the card comes up at the first void",
        {},
        lambda g: g.asker not in (None, g.owner) and g.trick_number > 8,
    ),
    "mendikot_band_2": (
        "time runs out, and the owner shows the card that was laid for it",
        {},
        lambda g: g.timed_out and some(shown_at_a_lead)(g),
    ),
    "mendikot_band_3": ("two tens each", {}, lambda g: g.kind == "TRICKS"),
}


def play(options, seed):
    """A round played by players of some caution; what is not a card they choose by chance."""
    rng = random.Random(seed)
    dealer = rng.randrange(4)
    deals = [deal_from_pack(rng.sample(range(52), 52), dealer) for _ in range(5)]
    game = Table(options, dealer, deals)
    while legal := game.legal():
        game.act(choose(game, legal, rng))
    game.deals = deals[: game.redeal + 1]
    return game


def choose(table, legal, rng):
    cards = sorted((card for card in legal if card < CALL), key=lambda card: card % 13)
    if REVEAL in legal and rng.random() < 0.2:
        return REVEAL
    if table.phase != "PLAY" or not cards or rng.random() < 0.15:
        return rng.choice(legal)
    if table.led is None:
        return cards[-1]
    winners = [card for card in cards if takes(table, card)]
    return cards[0] if table.holder == partner(table.seat) or not winners else winners[0]


def takes(table, card):
    after = table.copy()
    after.act(card)
    return table.seat == (after.taker if after.holder is None else after.holder)


def written(title, game, table):
    """A played round as text: the cards, then every action and what came of it."""
    changed = [key for key in table.options if table.options[key] != GAMES[game][key]]
    options = [f"{key}={table.options[key]!r}" for key in changed]
    lines = [title, "", "  ".join(["rules   ", game, *options]), f"dealer    {table.dealer}"]
    for deal, seat in itertools.product(table.deals, range(4)):
        cards = list(map(name, deal[seat]))
        packets = (" ".join(packet) for packet in (cards[:5], cards[5:9], cards[9:]))
        lines.append(f"seat {seat}    " + "   ".join(packets))
    line = ["opening "]
    for before, after in steps(table):
        if before.phase == "PLAY" and before.led is None and not before.must_trump:
            lines.append("  ".join(line))
            line = [f"trick {before.trick_number + 1:<2}"]
        if after.redeal > before.redeal:
            lines.append("  ".join([*line, f"{before.seat} NEW_CARDS"]))
            line = ["again   "]
            continue
        seat, action = after.history[-1]
        line.append(f"{seat} {name(action)}")
        if after.must_trump and not before.must_trump:
            line.append(f"({name(after.shown)} shown)")
        if after.trick_number > before.trick_number:
            line.append("to {}, {}-{}".format(after.taker, *after.tricks))
            line += [f"pile {after.pile}"] if table.options["collects"] == "pile" else []
            line += ["tens {}-{}".format(*after.tens)] if table.options["goal"] == "tens" else []
    lines += ["  ".join(line), f"result    team {table.winner}, {table.kind}"]
    lines.append("paid      points {}-{}, kots {}-{}".format(*table.paid_points, *table.paid_kots))
    lines.append(f"dealer    {table.next_dealer} is next")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def main():
    GOLDEN.mkdir(exist_ok=True)
    for file, (shows, options, wanted) in WANTED.items():
        game = file.rpartition("_")[0]
        played = (play(GAMES[game] | options, f"{file} {seed}") for seed in itertools.count())
        table = next(filter(wanted, played))
        title = f"{game}: {shows}"
        (GOLDEN / f"{file}.txt").write_text(written(title, game, table), encoding="utf-8")


if __name__ == "__main__":
    main()
