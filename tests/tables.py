"""Tables in text, for tests: deals from a few named cards, actions by name, columns as words."""

import numpy as np

import rungenv
from reference import ACTIONS, SUITS, deal_of, name
from rungenv import Kind, Phase

SUITED = deal_of("C", "D", "H", "S")
"""A deal in which seat 0 holds all clubs, 1 diamonds, 2 hearts and 3 spades."""

NOBODY_VOID = (
    "JS AC KC QC AD KD QD AH KH QH AS KS QS",
    "2C 3C 4C 2D 3D 4D 2H 3H 4H 2S 3S 4S JC",
    "5C 6C 7C 5D 6D 7D 5H 6H 7H 5S 6S 7S JD",
)
"""Hands in which seat 0 wins trick after trick by high cards while everyone follows suit."""

CARD_COLUMNS = ("turned_up", "face_down", "shown")
SUIT_COLUMNS = ("trump", "led")
FLAG_COLUMNS = ("passed", "timed_out", "owner_knows", "must_trump", "waiting_ace")


class Game:
    """One table of the kernel.

    `hands` are card texts, each made up to 13 (see `deal_of`), or one whole deal; `options` are
    those of `rungenv.variant`; `redeals` are the next deals of R10.2. Columns read as words: a
    card or suit is its name, -1 is None.
    """

    def __init__(self, game, *hands, dealer=3, deal=None, redeals=(SUITED,), **options):
        deal = deal_of(*hands) if deal is None else deal
        rules = rungenv.variant(game, **options)
        self.tables = rungenv.deal_hands(rules, [deal], dealer, redeals=[redeals])
        self.events = None

    def set(self, **columns):
        """Write match columns, as they would stand after earlier rounds."""
        for column, value in columns.items():
            getattr(self.tables, column)[0] = value
        return self

    def play(self, *texts):
        """Play actions by name; "." stands for the lowest card that may be played."""
        for word in " ".join(texts).split():
            action = ACTIONS.index(self.legal.split()[0] if word == "." else word)
            self.events = rungenv.step(self.tables, np.array([action]))
        return self

    @property
    def legal(self):
        """The names of the legal actions, in order of their numbers."""
        word = int(self.tables.legal()[0])
        return " ".join(name(action) for action in range(61) if word >> action & 1)

    @property
    def paid(self):
        """(points, kots) that the last action paid to each team."""
        return self.events.points[0].tolist(), self.events.kots[0].tolist()

    def hand(self, seat):
        """The cards of a seat, in order of their numbers."""
        word = int(self.tables.hands[0, seat])
        return " ".join(name(card) for card in range(52) if word >> card & 1)

    def __getattr__(self, column):
        value = getattr(self.tables, column)[0].tolist()
        if column == "phase":
            return Phase(value).name
        if column == "kind":
            return Kind(value).name
        if column in FLAG_COLUMNS:
            return bool(value)
        if value == -1:
            return None
        if column in CARD_COLUMNS:
            return name(value)
        return SUITS[value] if column in SUIT_COLUMNS else value


FINISHES = {
    "callers": (("2D C", "AC D", "H", "S"), "CALL_C 2D" + " ." * 35),
    "others": (("2S C", "S", "AC H", "D"), "CALL_S 2C 2D AC" + " ." * 29),
    "kot": (("C", "D", "H", "S"), "CALL_C" + " ." * 28),
    "goon_kot": (("2S C", "S", "H", "AC D"), "CALL_S 2C 3S" + " ." * 26),
}
"""Hands and actions of single sar rounds, dealt by seat 3, that end in each of the four ways."""


def at_dealer(dealer, hands):
    """The deal of hands that are written for dealer 3, turned round the table to another."""
    deal = deal_of(*hands)
    return [deal[(seat + 3 - dealer) % 4] for seat in range(4)]


def finished(how, dealer=3, columns=None, **options):
    """A single sar round that has just ended so; `columns` are match columns set beforehand."""
    hands, actions = FINISHES[how]
    game = Game("single_sar", deal=at_dealer(dealer, hands), dealer=dealer, **options)
    return game.set(**columns or {}).play(actions)
