"""A table as text, in 80 columns: the whole of it for an onlooker, or what one seat may see.

Seat 0, or the seat that looks, sits at the bottom, and play goes round to the right. A seat's
picture shows no card but those of its view; the rest is what everybody at the table knows.
"""

from collections.abc import Sequence

import numpy as np

from rungenv.actions import CALL, KEEP, NEW_CARDS, PASS, REVEAL, TIMEOUT
from rungenv.bits import members
from rungenv.cards import RANKS, SUIT_NAMES, SUIT_SYMBOLS
from rungenv.rules import PRESETS, Collects, Goal, Rules, Trump
from rungenv.state import Kind, Phase
from rungenv.tables import Tables
from rungenv.view import LAID, NOTHING, observe

NAMES = ("player_0", "player_1", "player_2", "player_3")
"""What the seats are called, if nothing else is said."""

_WIDTH, _NAME = 80, 14
"""Columns of a picture, and of a name in it at most."""
_LEFT, _MIDDLE, _RIGHT = 1, 28, 53
"""Columns where the three parts of the compass begin."""
_HAND_AT = ((10, _MIDDLE), (5, _RIGHT), (0, _MIDDLE), (5, _LEFT))
"""Line and column of each seat's five lines, its own at the bottom."""
_BOX = ("┌────────────────────┐", *["│                    │"] * 3, "└────────────────────┘")
_BOX_AT = (5, _MIDDLE)
_CARD_AT = ((8, _MIDDLE + 9), (7, _MIDDLE + 15), (6, _MIDDLE + 9), (7, _MIDDLE + 3))
"""Line and column of each seat's card on the table."""

_KINDS = {
    Kind.WIN: "",
    Kind.KOT: " with a kot",
    Kind.GOON_KOT: " with a goon kot",
    Kind.MENDI: " with three tens",
    Kind.MENDIKOT: " with all four tens: a mendikot",
    Kind.WHITEWASH: " with all the tricks: a whitewash",
    Kind.TRICKS: " by tricks, with two tens each",
}
_ANSWERS = {
    PASS: "passed",
    TIMEOUT: "let the time run out",
    REVEAL: "had the face-down card shown",
    KEEP: "kept things as they are",
    NEW_CARDS: "asked for new cards",
    LAID: "laid a card face down",
}
_WAITING = {
    Phase.CALL: "to call",
    Phase.PARTNER_CALL: "to call",
    Phase.NEW_CARDS: "may ask for new cards",
    Phase.CHANGE_TRUMP: "may change the trump",
    Phase.PLAY: "to play",
}


def table_text(
    tables: Tables, row: int, seat: int | None = None, names: Sequence[str] = NAMES
) -> str:
    """One table as text, 80 columns wide.

    seat: whose view to show, 0 to 3; by default all hands, as an onlooker sees them. names: what
    to call the four seats, by seat.
    """
    return _Picture(tables.take(np.array([row])), seat, names).text()


def game_name(rules: Rules) -> str:
    """The name of the game that has these axes, house rules aside; "court piece" if none has."""
    axes = ("trump", "shown", "collects", "goal", "passing")
    for name, preset in PRESETS.items():
        if all(getattr(rules, axis) == getattr(preset, axis) for axis in axes):
            return name.replace("_", " ")
    return "court piece"


def card_text(card: int) -> str:
    """A card with its suit's symbol.

    >>> card_text(8)
    'T♣'
    """
    return RANKS[card % 13] + SUIT_SYMBOLS[card // 13]


def suit_text(suit: int) -> str:
    """A suit by symbol and name.

    >>> suit_text(3)
    '♠ spades'
    """
    return f"{SUIT_SYMBOLS[suit]} {SUIT_NAMES[suit]}"


class _Picture:
    """One table seen from one seat. Seats and teams are relative to it, 0 its own."""

    def __init__(self, table: Tables, seat: int | None, names: Sequence[str]) -> None:
        viewer = seat or 0
        self.rules = table.rules
        self.view = observe(table, viewer)
        self.names = [names[(viewer + i) % 4][:_NAME] for i in range(4)]
        self.round = int(table.round[0])
        self.to_act = (int(table.seat[0]) - viewer) % 4 if table.seat[0] >= 0 else -1
        self.kind = Kind(table.kind[0])
        self.winner = int(table.winner[0]) ^ (viewer & 1)
        self.match_is_won = bool(table.match_winner[0] >= 0)

        self.hands: list[list[int] | None]
        if seat is None:
            self.hands = [members(observe(table, i).hand[0]) for i in range(4)]
            self.down = int(table.face_down[0])
            actions = table.history[0] & 63
        else:
            self.hands = [members(self.view.hand[0]), None, None, None]
            self.down = int(self.view.my_face_down[0])
            actions = self.view.history_actions()[0]
        entries = zip(self.view.history_seats()[0].tolist(), actions.tolist(), strict=True)
        self.history = [(seat, action) for seat, action in entries if action != NOTHING]

    def text(self) -> str:
        parts = (self.score(), self.compass(), self.news())
        return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts)

    def value(self, field: str) -> int:
        """A number of the view."""
        return int(getattr(self.view, field)[0])

    def name(self, field: str) -> str:
        """The name of the seat that a field of the view holds."""
        return self.names[self.value(field)]

    def team(self, team: int) -> str:
        return f"{self.names[team]} and {self.names[team + 2]}"

    # The upper part: what is played, how it stands, what the trump is.

    def score(self) -> list[str]:
        rules = self.rules
        target = f"to {rules.target} {rules.scoring}"
        title = f"{game_name(rules)}, round {self.round + 1}"
        fields = ["tricks", "points"]
        if rules.goal == Goal.TENS:
            fields.insert(1, "tens")
        else:
            fields += ["kots", "streak"]
        width = max(len(self.team(0)), len(self.team(1)))
        lines = [f"{title}{target:>{_WIDTH - len(title)}}"]
        for team in range(2):
            counts = [f"{field} {getattr(self.view, field)[0, team]}" for field in fields]
            lines.append("   ".join([f"{self.team(team):{width}}", *counts]))
        lines.append(self.trump())
        if rules.collects == Collects.PILE:
            lines.append(self.pile())
        return lines

    def trump(self) -> str:
        trump = self.value("trump")
        if self.rules.trump == Trump.HIDDEN and self.value("owner") >= 0:
            return self.hidden_trump(trump)
        if trump < 0:
            return "no trump yet" if self.to_act >= 0 else "no trump"
        text = f"trump {suit_text(trump)}"
        if self.value("caller") >= 0:
            text += f", called by {self.name('caller')}"
        if self.value("turned_up") >= 0:
            text += f" ({card_text(self.value('turned_up'))} was turned up)"
        return text

    def hidden_trump(self, trump: int) -> str:
        if self.value("is_down"):
            seen = f" ({card_text(self.down)})" if self.down >= 0 else ""
            unseen = "" if self.value("owner_knows") else ", which nobody has seen"
            return f"the trump is {self.name('owner')}'s face-down card{seen}{unseen}"
        card = f"{self.name('owner')}'s {card_text(self.value('shown'))}"
        if trump < 0:
            return f"no trump: {card} was not shown before the end"
        return f"trump {suit_text(trump)}: {card}, shown at {self.name('asker')}'s turn"

    def pile(self) -> str:
        text = f"pile: {self.value('pile')} tricks"
        if self.rules.goal == Goal.TENS:
            text += f" with {self.value('pile_tens')} tens"
        if self.value("waiting") >= 0:
            text += f"; {self.name('waiting')} won the last one"
            text += " with an ace" if self.value("waiting_ace") else ""
        return text

    # The middle: who sits where, the hands, the trick.

    def compass(self) -> list[str]:
        canvas = [[" "] * _WIDTH for _ in range(15)]

        def put(line: int, column: int, text: str) -> None:
            canvas[line][column : column + len(text)] = text

        for seat, (line, column) in enumerate(_HAND_AT):
            for i, text in enumerate(self.hand(seat)):
                put(line + i, column, text)
        for i, text in enumerate(_BOX):
            put(_BOX_AT[0] + i, _BOX_AT[1], text)
        for (line, column), text in zip(_CARD_AT, self.trick(), strict=True):
            put(line, column, text)
        return ["".join(line)[:_WIDTH] for line in canvas]

    def hand(self, seat: int) -> list[str]:
        """Five lines: the seat's name, and its cards by suit or their number."""
        title = f"{'>' if seat == self.to_act else ' '} {self.names[seat]}"
        if seat == self.value("dealer"):
            title += " (dealer)"
        cards = self.hands[seat]
        if cards is None:
            return [title, f"  {self.cards_of(seat)} cards"]
        lanes = [[card for card in cards if card // 13 == suit] for suit in (3, 2, 1, 0)]
        symbols = reversed(SUIT_SYMBOLS)
        ranks = [" ".join(RANKS[card % 13] for card in reversed(lane)) for lane in lanes]
        return [title, *(f"  {symbol} {held}" for symbol, held in zip(symbols, ranks, strict=True))]

    def cards_of(self, seat: int) -> int:
        """How many cards another seat holds, which everybody can count."""
        if self.value("phase") <= Phase.PARTNER_CALL:
            return 5
        down = self.value("is_down") and seat == self.value("owner")
        return 13 - int(self.view.played[0, seat]).bit_count() - down

    def trick(self) -> list[str]:
        """Each seat's card on the table; between tricks those of the last one, in brackets."""
        if self.value("trick_size") == 0 and self.value("trick_number") > 0:
            last = dict([entry for entry in self.history if entry[1] < CALL][-4:])
            return [f"({card_text(last[seat])})" for seat in range(4)]
        cards = [
            f" {card_text(card)} " if card >= 0 else " ·" for card in self.view.trick[0].tolist()
        ]
        if self.value("trick_size") > 0:
            holder = self.value("holder")
            cards[holder] = cards[holder].rstrip() + "*"
        return cards

    # The lower part: what happened last, and who is to act.

    def news(self) -> list[str]:
        lines = [f"{self.last_action()}."] if self.history else []
        if self.to_act >= 0:
            lines.append(f"{self.names[self.to_act]} {self.awaited()}.")
        else:
            lines.append(f"{self.team(self.winner)} win the round{_KINDS[self.kind]}.")
        if self.match_is_won:
            lines.append("They win the match.")
        return lines

    def awaited(self) -> str:
        phase = Phase(self.value("phase"))
        if phase <= Phase.PARTNER_CALL and self.rules.trump == Trump.HIDDEN:
            return "to lay a card face down"
        return _WAITING[phase]

    def last_action(self) -> str:
        seat, action = self.history[-1]
        if action >= CALL:
            suit = action - CALL
            done = f"called {suit_text(suit)}" if suit < 4 else _ANSWERS[action]
        elif self.view.played.any():
            done = f"played {card_text(action)}"
        else:
            done = f"laid {card_text(action)} face down"
        return f"{self.names[seat]} {done}"
