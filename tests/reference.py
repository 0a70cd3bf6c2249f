"""Court Piece in plain Python: a slow second reading of the rules, to test the kernel against.

One table at a time, with lists and sets; it imports nothing of rungenv, and no numpy. `R6.3` is
line 3 of section 6 of RULES.md. Seats are 0-3 in turn order and team = seat % 2. A card is
13 * suit + rank (suits C D H S, ranks 2..A), an action one of the 61 numbers below, and None
stands for "no such card, suit, seat or team".
"""

from collections.abc import Mapping, Sequence
from copy import copy

SUITS, RANKS = "CDHS", "23456789TJQKA"
TEN, ACE = RANKS.index("T"), RANKS.index("A")
CALL, PASS, TIMEOUT, REVEAL, KEEP, NEW_CARDS = 52, 56, 57, 58, 59, 60
ACTIONS = (
    [rank + suit for suit in SUITS for rank in RANKS]
    + [f"CALL_{suit}" for suit in SUITS]
    + ["PASS", "TIMEOUT", "REVEAL", "KEEP", "NEW_CARDS"]
)

HOUSE_RULES = {
    "shown": "on_demand",
    "passing": True,
    "collects": "trick",
    "goal": "seven_tricks",
    "call_any_suit": False,
    "ace_over_ace": True,
    "trump_ace_cannot_seal": True,
    "no_late_pickup": False,
    "play_out": False,
    "allow_timeout": True,
    "change_trump": False,
    "new_cards": (0, 0, 0, 0),
    "scoring": "points",
    "points_target": 10,
    "kots_target": 3,
    "call_seconds": 20,
}
TENS_RULES = {"shown": "first_void", "passing": False, "goal": "tens", "points_target": 5}
GAMES = {
    "single_sar": HOUSE_RULES | {"trump": "called"},
    "double_sar": HOUSE_RULES | {"trump": "called", "collects": "pile"},
    "hidden_rung": HOUSE_RULES | {"trump": "hidden"},
    "be_ranga": HOUSE_RULES | {"trump": "cut"},
    "mendikot": HOUSE_RULES | TENS_RULES | {"trump": "cut"},
    "mendikot_band": HOUSE_RULES | TENS_RULES | {"trump": "hidden"},
}

# kind of result -> (points, kots), R5.1 and R9.4; a plain win is paid by who won it
PAYS = {
    "KOT": (3, 1),
    "GOON_KOT": (4, 3),
    "MENDI": (1, 0),
    "TRICKS": (1, 0),
    "MENDIKOT": (2, 0),
    "WHITEWASH": (3, 0),
}


def card(text: str) -> int:
    """The number of a card: card("AS") == 51."""
    return 13 * SUITS.index(text[1]) + RANKS.index(text[0])


def name(action: int) -> str:
    """The name of an action: name(51) == "AS", name(52) == "CALL_C"."""
    return ACTIONS[action]


def suit(number: int) -> int:
    return number // 13


def rank(number: int) -> int:
    return number % 13


def team(seat: int) -> int:
    return seat % 2


def partner(seat: int) -> int:
    return (seat + 2) % 4


def after(seat: int) -> int:
    return (seat + 1) % 4


def in_turn(first: int) -> list[int]:
    """The four seats in turn order from `first` (R1.1)."""
    return [(first + turn) % 4 for turn in range(4)]


def of_suit(cards: set[int], wanted: int | None) -> set[int]:
    return {number for number in cards if number // 13 == wanted}


def draw_for_eldest(pack: Sequence[int]) -> int:
    """R1.2: the seats draw off the pack in turn, the tied ones again, until one is highest."""
    cards = iter(pack)
    drawing = [0, 1, 2, 3]
    while len(drawing) > 1:
        drawn = {seat: rank(next(cards)) for seat in drawing}
        drawing = [seat for seat in drawing if drawn[seat] == max(drawn.values())]
    return drawing[0]


def deal_from_pack(pack: Sequence[int], dealer: int) -> list[list[int]]:
    """R1.3: five cards each from the eldest hand on, then four, then four."""
    cards = iter(pack)
    deal: list[list[int]] = [[], [], [], []]
    for packet in (5, 4, 4):
        for seat in in_turn(after(dealer)):
            deal[seat] += [next(cards) for _ in range(packet)]
    return deal


def deal_of(*hands: str) -> list[list[int]]:
    """Four hands in card text, each made up to 13 from what the texts leave of the pack.

    A hand is made up by its lowest cards first, seat 0's before seat 1's, and from the suits that
    its text ends with before any other: deal_of("AS KS H") gives seat 0 AS KS 2H 3H ... QH.
    """
    words = [hand.split() for hand in (*hands, "", "", "", "")[:4]]
    deal = [[card(word) for word in hand if len(word) == 2] for hand in words]
    named = [number for cards in deal for number in cards]
    assert len(named) == len(set(named)), "a card is in two places"
    rest = set(range(52)) - set(named)
    for cards, hand in zip(deal, words, strict=True):
        suits = [SUITS.index(word) for word in hand if len(word) == 1]
        wanted = sorted(number for number in rest if suit(number) in suits)
        cards += (wanted + sorted(rest - set(wanted)))[: 13 - len(cards)]
        rest -= set(cards)
    return deal


def count_playouts(table: "Table") -> int:
    """In how many ways this round can be played to its end."""
    if table.phase == "OVER":
        return 1
    total = 0
    for action in table.legal():
        branch = table.copy()
        branch.act(action)
        total += count_playouts(branch)
    return total


class Table:
    """One match at one table, from the first five cards of the round whose deals are given.

    `deals` holds the round's deal (four lists of 13 cards in the order received), then the fresh
    deals of R10.2, of which more may be appended while the round goes on.
    """

    def __init__(
        self,
        options: Mapping,
        dealer: int,
        deals: Sequence[Sequence[Sequence[int]]],
        points: Sequence[int] = (0, 0),
        kots: Sequence[int] = (0, 0),
        streak: Sequence[int] = (0, 0),
        new_cards_left: Sequence[int] | None = None,
    ):
        self.options = dict(options)
        self.points, self.kots, self.streak = list(points), list(kots), list(streak)
        self.new_cards_left = list(new_cards_left or self.options["new_cards"])
        self.match_winner: int | None = None
        self.round = 0
        self._begin_round(dealer, deals)

    def copy(self) -> "Table":
        """A table that plays on independently; only what no action changes is shared."""
        twin = copy(self)
        for attribute, value in vars(self).items():
            if isinstance(value, list):
                items = [set(item) if isinstance(item, set) else item for item in value]
                setattr(twin, attribute, items)
        return twin

    # ---------------------------------------------------------------- rounds and deals

    def next_round(self, deals: Sequence[Sequence[Sequence[int]]]) -> None:
        """Deal the match's next round, by the dealer that R5.4 or R9.6 names."""
        if self.phase != "OVER" or self.match_winner is not None:
            raise ValueError("the round is still going on, or the match is over")
        assert self.next_dealer is not None
        self.round += 1
        self._begin_round(self.next_dealer, deals)

    def _begin_round(self, dealer: int, deals: Sequence[Sequence[Sequence[int]]]) -> None:
        self.dealer, self.eldest = dealer, after(dealer)
        self.deals = list(deals)
        self.redeal = 0
        self.history: list[tuple[int, int]] = []  # (seat, action)
        self.paid_points, self.paid_kots = [0, 0], [0, 0]
        self.winner: int | None = None
        self.kind = "NONE"
        self.next_dealer: int | None = None
        self._begin_deal()

    def _begin_deal(self) -> None:
        self.deal = [list(cards) for cards in self.deals[self.redeal]]
        self.hands = [set(cards) for cards in self.deal]
        self.first_five = [set(cards[:5]) for cards in self.deal]  # R1.3
        self.played: list[set[int]] = [set(), set(), set(), set()]

        self.trump: int | None = None
        self.caller: int | None = None
        self.passed = self.timed_out = False
        self.turned_up: int | None = None  # R2.4
        self.face_down: int | None = None  # R7.1
        self.owner: int | None = None
        self.owner_knows = False
        self.shown: int | None = None
        self.asker: int | None = None
        self.must_trump = False

        self.trick_number = 0
        self.taker: int | None = None  # of the last trick
        self.tricks, self.tens = [0, 0], [0, 0]
        self.pile = self.pile_tens = 0  # R6.1
        self.waiting: int | None = None
        self.waiting_ace = False
        self.voids: list[set[int]] = [set(), set(), set(), set()]
        self._clear_trick()

        if self.options["trump"] == "cut":  # R8.1: no call
            self._ask_for_new_cards(in_turn(self.eldest))
        else:
            self.phase, self.seat = "CALL", self.eldest

    def _clear_trick(self) -> None:
        self.trick: list[int | None] = [None, None, None, None]
        self.strength: list[tuple[int, int]] = [(-1, -1)] * 4
        self.led: int | None = None
        self.holder: int | None = None

    # ---------------------------------------------------------------- what may be done

    def legal(self) -> list[int]:
        """The actions open to the seat to act, in rising order; none when the round is over."""
        actions = {
            "CALL": self._legal_calls,
            "PARTNER_CALL": self._legal_calls,
            "NEW_CARDS": lambda: {NEW_CARDS, KEEP},
            "CHANGE_TRUMP": self._legal_changes,
            "PLAY": self._legal_plays,
            "OVER": set,
        }[self.phase]()
        return sorted(actions)

    def _legal_calls(self) -> set[int]:
        five = self.first_five[self.seat]
        if self.options["trump"] == "hidden":  # R7.1, R9.2: lay one of the five
            actions = set(five)
        elif self.options["call_any_suit"]:
            actions = {CALL + called for called in range(4)}
        else:  # R2.3: a suit among one's own five
            actions = {CALL + suit(number) for number in five}
        if self.phase == "CALL" and self.options["passing"]:
            actions.add(PASS)  # R2.1
        elif self.options["allow_timeout"]:
            actions.add(TIMEOUT)  # R2.2, R7.7, R9.2: the seat that may not pass
        return actions

    def _legal_changes(self) -> set[int]:
        if self.options["trump"] == "called":  # R10.1: any other suit
            others = {CALL + called for called in range(4) if called != self.trump}
        else:  # R10.1: another of the owner's first five
            others = self.first_five[self.seat] - {self.face_down}
        return others | {KEEP}

    def _legal_plays(self) -> set[int]:
        hand = self.hands[self.seat]  # R7.2: the face-down card is not in it
        trumps, followers = of_suit(hand, self.trump), of_suit(hand, self.led)
        if self.must_trump and trumps:  # R7.3, R7.4, R9.3
            return trumps
        actions = set(followers or hand)  # R3.2
        if self.face_down is not None:
            leads = self.led is None and self.seat == self.owner  # R7.4
            asks = self.led is not None and not followers  # R7.3
            if leads or (asks and self.options["shown"] == "on_demand"):
                actions.add(REVEAL)  # R7.6: the only action of a hand that is empty
        return actions

    # ---------------------------------------------------------------- what is done

    def act(self, action: int) -> None:
        """The seat to act does this; ValueError if it may not."""
        if action not in self.legal():
            may = " ".join(name(number) for number in self.legal()) or "nothing"
            raise ValueError(f"seat {self.seat} did {action} in {self.phase}, but may: {may}")
        assert self.seat is not None
        self.history.append((self.seat, action))
        if self.phase in ("CALL", "PARTNER_CALL"):
            self._call(self.seat, action)
        elif self.phase == "NEW_CARDS":
            self._answer_new_cards(self.seat, action)
        elif self.phase == "CHANGE_TRUMP":
            self._change_trump(self.seat, action)
        elif action == REVEAL:
            self._show()
        else:
            self._play(self.seat, action)

    def _call(self, seat: int, action: int) -> None:
        if action == PASS:  # R2.1
            self.passed = True
            self.phase, self.seat = "PARTNER_CALL", partner(seat)
            return
        if action == TIMEOUT:
            self._time_out()
        elif action >= CALL:
            self.caller, self.trump = seat, action - CALL
        else:
            self.caller = seat
            self._lay(seat, action)
        self._ask_for_new_cards(in_turn(self.eldest))

    def _time_out(self) -> None:
        self.timed_out = True
        self.caller = self.eldest  # R2.4, R7.7
        first, sixth = self.deal[self.eldest][0], self.deal[self.eldest][5]
        if self.options["trump"] == "called":  # R2.2, R2.4
            self.turned_up, self.trump = sixth, suit(sixth)
        elif self.options["passing"]:  # R7.7
            self._lay(self.eldest, sixth, known=False)
        else:  # R9.2
            self._lay(self.eldest, first)

    def _lay(self, seat: int, number: int, known: bool = True) -> None:
        """R7.1, R7.2: the card leaves the hand and lies face down."""
        self.hands[seat].remove(number)
        self.face_down, self.owner, self.owner_knows = number, seat, known

    def _ask_for_new_cards(self, seats: Sequence[int]) -> None:
        """R10.2: ask the first of these seats with some left; after the last, R10.1, then play."""
        for seat in seats:
            if self.new_cards_left[seat] > 0:
                self.phase, self.seat = "NEW_CARDS", seat
                return
        if self.options["change_trump"]:
            self.phase, self.seat = "CHANGE_TRUMP", self.caller
        else:
            self.phase, self.seat = "PLAY", self.eldest  # R3.1

    def _answer_new_cards(self, seat: int, action: int) -> None:
        order = in_turn(self.eldest)
        if action == KEEP:
            self._ask_for_new_cards(order[order.index(seat) + 1 :])
        else:  # R10.2: the whole pack afresh, same dealer, calling starts again
            self.new_cards_left[seat] -= 1
            self.redeal += 1
            self._begin_deal()

    def _change_trump(self, seat: int, action: int) -> None:
        if CALL <= action < PASS:
            self.trump = action - CALL
        elif action != KEEP:  # R10.1: the old card returns to the hand
            assert self.face_down is not None
            self.hands[seat].add(self.face_down)
            self._lay(seat, action)
        self.phase, self.seat = "PLAY", self.eldest

    def _show(self) -> None:
        """R7.3, R7.4, R9.3: the face-down card is trump and back in hand; the asker must trump."""
        self._turn_up()
        self.trump = suit(self.shown)
        self.asker, self.must_trump = self.seat, True

    def _turn_up(self) -> None:
        assert self.owner is not None
        self.shown, self.face_down = self.face_down, None
        self.hands[self.owner].add(self.shown)
        self.voids[self.owner].discard(suit(self.shown))

    # ---------------------------------------------------------------- tricks

    def _play(self, seat: int, number: int) -> None:
        self.hands[seat].remove(number)
        self.played[seat].add(number)
        self.trick[seat] = number
        self.must_trump = False
        if self.led is None:
            self.led = suit(number)
        if suit(number) != self.led:
            self.voids[seat].add(self.led)
            if self.options["trump"] == "cut" and self.trump is None:
                self.trump = suit(number)  # R8.2: for this trick too

        # R3.3, R7.5: what a card is worth is settled when it is played
        if suit(number) == self.led:
            worth = 1
        elif suit(number) == self.trump:
            worth = 2
        else:
            worth = 0
        self.strength[seat] = (worth, rank(number))
        self.holder = max(range(4), key=lambda other: self.strength[other])

        if None in self.trick:
            self.seat = after(seat)
            void = not of_suit(self.hands[self.seat], self.led)
            if void and self.face_down is not None and self.options["shown"] == "first_void":
                self._show()  # R9.3: without being asked
        else:
            self._take_trick(self.holder)

    def _take_trick(self, seat: int) -> None:
        self.trick_number += 1
        self.taker = seat
        winning_card = self.trick[seat]
        self.pile += 1
        self.pile_tens += sum(rank(number) == TEN for number in self.trick)
        at_once = self.options["collects"] == "trick" or self.trick_number == 13  # R6.4
        twice = self.waiting == seat and not self._pair_is_blocked(winning_card)  # R6.2
        if at_once or twice:
            self._pick_up(seat)
        else:  # R6.7: so a blocked pair's second trick may be the next pair's first
            self.waiting, self.waiting_ace = seat, rank(winning_card) == ACE
        self._clear_trick()
        self.seat = seat  # R3.1
        result = self._result()
        if result is not None:
            self._end_round(*result)

    def _pick_up(self, seat: int) -> None:
        self.tricks[team(seat)] += self.pile
        self.tens[team(seat)] += self.pile_tens
        self.pile = self.pile_tens = 0
        self.waiting, self.waiting_ace = None, False  # R6.3

    def _pair_is_blocked(self, winning_card: int) -> bool:
        """R6.7: do the house rules forbid a pick-up that this card, the second, would seal?"""
        ace = rank(winning_card) == ACE
        return (
            (self.options["ace_over_ace"] and self.waiting_ace and ace)
            or (self.options["trump_ace_cannot_seal"] and ace and suit(winning_card) == self.trump)
            or (self.options["no_late_pickup"] and self.trick_number in (11, 12))
        )

    # ---------------------------------------------------------------- results and scores

    def _result(self) -> tuple[int, str] | None:
        """(winning team, kind) when the round is over, else None."""
        if self.options["goal"] == "tens":
            return self._tens_result()
        most = 0 if self.tricks[0] > self.tricks[1] else 1
        if self.tricks[most] < 7:
            return None
        if self.tricks[1 - most] > 0:  # R4.1, R6.5
            return most, "WIN"
        if self.options["collects"] == "pile" and self.tricks[most] < 13:  # R6.5
            return None
        return most, "KOT" if most == team(self.eldest) else "GOON_KOT"  # R4.2, R6.6

    def _tens_result(self) -> tuple[int, str] | None:
        """R9.5: the result, if it is the same whichever team gets all that is still out."""
        if self.options["play_out"] and self.trick_number < 13:
            return None
        ends = set()
        for lucky in (0, 1):
            tricks, tens = list(self.tricks), list(self.tens)
            tricks[lucky] += 13 - sum(self.tricks)
            tens[lucky] += 4 - sum(self.tens)
            ends.add(tens_winner(tricks, tens))
        return ends.pop() if len(ends) == 1 else None

    def _end_round(self, winner: int, kind: str) -> None:
        self.phase, self.seat = "OVER", None
        self.winner, self.kind = winner, kind
        if self.face_down is not None:
            self._turn_up()  # R7.8
        self._pay(winner, kind)
        self._find_next_dealer(winner, kind)
        # R5.5, R9.7: only the winners of the round can have reached the target
        scoring = self.options["scoring"]
        score, target = getattr(self, scoring), self.options[f"{scoring}_target"]
        if score[winner] >= target:
            self.match_winner = winner

    def _pay(self, winner: int, kind: str) -> None:
        callers = team(self.eldest)
        points, kots = PAYS.get(kind) or ((1, 0) if winner == callers else (2, 0))  # R5.1
        if kind in ("KOT", "GOON_KOT"):  # R5.3
            self.streak = [0, 0]
        elif kind == "WIN":
            self.streak[1 - winner] = 0
            self.streak[winner] += 1
            if self.streak[winner] == 7:  # R5.2
                self.streak[winner] = 0
                if self.options["scoring"] == "points":
                    points += 2
                else:
                    kots += 1
        self.paid_points[winner], self.paid_kots[winner] = points, kots
        self.points[winner] += points
        self.kots[winner] += kots

    def _find_next_dealer(self, winner: int, kind: str) -> None:
        """R5.4 and R9.6, which read alike."""
        if winner == team(self.dealer):
            self.next_dealer = after(self.dealer)
        elif kind in ("KOT", "WHITEWASH"):
            self.next_dealer = partner(self.dealer)
        else:
            self.next_dealer = self.dealer


def tens_winner(tricks: Sequence[int], tens: Sequence[int]) -> tuple[int, str]:
    """R9.1, R9.4: (winning team, kind) of a Mendikot round in which all has been taken."""
    for side in (0, 1):
        if tricks[side] == 13:
            return side, "WHITEWASH"
        if tens[side] == 4:
            return side, "MENDIKOT"
        if tens[side] == 3:
            return side, "MENDI"
    return (0 if tricks[0] > tricks[1] else 1), "TRICKS"
