"""`rung play`: a person at a table with agents, as text.

It reads lines and prints lines, so a pipe can play too. A person is shown what their seat may see,
and nothing else.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import tyro

import agents
import rungenv
from agents.axes import refuse_other_game
from rungenv import Rules, Tables
from rungenv.actions import ACTION_NAMES, CALL, action_names, parse_action
from rungenv.bits import members
from rungenv.cards import SUIT_NAMES, SUIT_SYMBOLS, SUITS
from rungenv.chance import sealed_generator
from rungenv.render import table_text
from rungenv.rules import Collects, Goal, Trump
from rungenv.view import LAID
from train.options import parse, rules_from

NAMES = ("you", "right", "partner", "left")
"""Who sits where, in turn order from the person on."""

HELP = """\
Type what you do, in capitals or not:
  a card, rank then suit   AS  10H  th  2♣     to play it, or to lay it face down
  a call                   hearts  call h  ♥   hearts are trump
  the rest                 PASS  TIMEOUT  REVEAL  KEEP  NEW_CARDS
  a question               ?  help             for this help
  good-bye                 quit                to leave the table
The card that is winning the trick has a star."""

HINT = "? for help, quit to leave"

_SUIT_WORDS = {
    word.upper(): letter
    for letter, name, symbol in zip(SUITS, SUIT_NAMES, SUIT_SYMBOLS, strict=True)
    for word in (letter, name, name.removesuffix("s"), symbol)
}
"""Each way to say a suit, and its letter."""


@dataclass(frozen=True)
class Play:
    """Sit down at a table with agents. Type ? at the table for help."""

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")] = "single_sar"
    """One of the six games."""
    partner: str = "greedy"
    """The agent opposite."""
    opponents: str = "greedy"
    """The agent to the left and to the right."""
    seat: Literal[0, 1, 2, 3] = 0
    """Your seat."""
    episode: Literal["round", "match"] = "match"
    """How long to play: one deal, or until a team has won the match."""
    seed: int | None = None
    """The deals come from this number; without it they are new."""
    rules: tuple[str, ...] = ()
    """Options of the game, as no_late_pickup=true new_cards=1."""


class Leave(Exception):
    """The person gets up from the table."""


class Seat:
    """The person at one table: what they are shown, and what they answer."""

    def __init__(self, tables: Tables, seat: int) -> None:
        self.tables = tables
        self.seat = seat
        self.told = 0  # actions of this round that the person knows of
        self.names = [NAMES[(other - seat) % 4] for other in range(4)]

    def ask(self) -> int:
        """The person's action: asked for again until it is a legal one. Leave when they quit."""
        self.show()
        legal = self.tables.legal()[0]
        while True:
            print(f"you may: {action_names(legal)}")
            try:
                text = input("> ").strip()
            except EOFError:
                print()
                raise Leave from None
            if text.lower() in ("quit", "exit", "q"):
                raise Leave
            if is_question(text, legal):
                print(HELP)
            elif text:
                try:
                    return action_of(text, legal)
                except ValueError as error:
                    print(error)

    def show(self) -> None:
        """Print the table as the person may see it."""
        print()
        print(table_text(self.tables, 0, self.seat, self.names))

    def tell(self) -> None:
        """Print what the others did since last time, and who took a trick."""
        tables = self.tables
        view = rungenv.observe(tables, self.seat)
        actions, seats = view.history_actions()[0], view.history_seats()[0]
        length = int(tables.length[0])
        for action, seat in zip(actions[self.told : length], seats[self.told :], strict=False):
            if seat:
                what = "lays a card face down" if action == LAID else ACTION_NAMES[action]
                print(f"{NAMES[seat]:>8}: {what}")
        self.told = length
        was_card = actions[length - 1] < CALL
        if was_card and view.trick_size[0] == 0 < view.trick_number[0] and tables.seat[0] >= 0:
            winner = self.names[tables.seat[0]]
            print(f"{winner} take{'' if winner == 'you' else 's'} the trick")


def aim(rules: Rules) -> str:
    """What is to be won, and where the trump comes from: a line for who has never played.

    >>> aim(rungenv.variant("double_sar"))
    'Win seven tricks with your partner, picked up by two wins in a row; a caller names the trump.'
    """
    picked_up = ", picked up by two wins in a row" if rules.collects == Collects.PILE else ""
    return f"{_GOALS[rules.goal]}{picked_up}; {_TRUMPS[rules.trump]}."


_GOALS = {
    Goal.SEVEN_TRICKS: "Win seven tricks with your partner",
    Goal.TENS: "Win more of the four tens than the others, with your partner",
}
_TRUMPS = {
    Trump.CALLED: "a caller names the trump",
    Trump.HIDDEN: "a caller lays a card face down, whose suit is the trump once it is shown",
    Trump.CUT: "the first card that does not follow suit makes the trump",
}


def is_question(text: str, legal: np.uint64) -> bool:
    """Whether help is asked for; "h" asks for it when hearts cannot be called."""
    if text.lower() == "h":
        return CALL + SUITS.index("H") not in members(legal)
    return text.lower() in ("?", "help")


def action_of(text: str, legal: np.uint64) -> int:
    """The legal action that was typed, or a ValueError; a suit alone calls that suit."""
    name = text.upper().replace("_", " ").strip()
    suit = name.removeprefix("CALL").strip()
    if suit in _SUIT_WORDS:
        name = f"CALL_{_SUIT_WORDS[suit]}"
    else:
        for symbol, letter in zip(SUIT_SYMBOLS, SUITS, strict=True):
            name = name.replace(symbol, letter)
    try:
        action = parse_action(name)
    except ValueError as error:
        raise ValueError(f"{str(error).replace(repr(name), repr(text))}; {HINT}") from None
    if action not in members(legal):
        raise ValueError(f"{ACTION_NAMES[action]} is not legal now")
    return action


def play(rules: Rules, settings: Play, seed: int) -> None:
    """Play a round or a match, until its end or until the person leaves.

    ValueError, before anything is printed, for a seed or an agent that there is not, or
    an agent of another game.
    """
    tables = rungenv.deal(rules, 1, seed)
    seat = Seat(tables, settings.seat)
    partner, opponents = agents.make(settings.partner), agents.make(settings.opponents)
    for agent in (partner, opponents):
        refuse_other_game(agent, rules)
    players = {1: opponents, 2: partner, 3: opponents}
    rng = sealed_generator(seed)
    print(f"{settings.game}, seed {seed}: {HINT}")
    print(aim(rules))
    while True:
        while (to_act := int(tables.seat[0])) >= 0:
            if to_act == settings.seat:
                action = seat.ask()
            else:
                agent = players[(to_act - settings.seat) % 4]
                action = int(agent.act(rungenv.observe(tables), rng)[0])
            rungenv.step(tables, np.array([action]))
            seat.tell()
        seat.show()
        if settings.episode == "round" or tables.match_winner[0] >= 0:
            return
        tables.next_round()
        seat.told = 0


def main(args: Sequence[str]) -> int:
    """Play and say good-bye; the exit code is 0."""
    settings = parse(Play, args, "rung play")
    rules = rules_from(settings.game, settings.rules)
    seed = secrets.randbelow(2**32) if settings.seed is None else settings.seed
    try:
        play(rules, settings, seed)
    except Leave:
        print("good-bye")
    return 0
