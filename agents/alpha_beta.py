"""The quick solver: alpha-beta over bitboards with a transposition table, compiled by numba.

`endgame.py` gives the same values by the kernel's own rules, a hundred times slower, and is what
this is tested against. For speed it states the play of the cards once more, on one row of ints:
what happens in an ending, and no more. One file holds it all, because numba's cache of compiled
code notices no change in another. numba is an optional extra ("solver").
"""

import math

import numpy as np
from numba import njit

from rungenv.cards import ACE, ACES, TEN, TENS
from rungenv.collect import tricks_in_a_kot
from rungenv.rules import Collects, Goal, Rules, Shown, Trump
from rungenv.state import Kind
from rungenv.tables import Tables

COLUMNS = (
    *("seat", "leader", "led", "best", "trick_tens", "trick_number", "pile", "pile_tens"),
    *("waiting", "waiting_ace", "trump", "face_down", "owner", "must_trump", "dealer"),
)
"""What the core reads of a table, besides hands, trick, tricks and tens, each an int64."""

# Places in a row of the core: four hands, the columns above, the trick, tricks and tens by team.
_SEAT, _LEADER, _LED, _BEST, _TRICK_TENS, _NUMBER, _PILE, _PILE_TENS = range(4, 12)
_WAITING, _ACE, _TRUMP, _DOWN, _OWNER, _MUST, _DEALER = range(12, 19)
_TRICK, _TRICKS, _TENS, _WIDTH = 19, 20, 22, 24

# Places in what the core is told of the rules.
_CUT, _FIRST_VOID, _TO_PILE, _FOR_TENS, _PLAYED_OUT = range(5)
_ACE_OVER_ACE, _NO_TRUMP_ACE, _NO_LATE, _KOT_TRICKS = range(5, 9)

_LANE = 0x1FFF
_ALL_TENS, _ALL_ACES = int(TENS), int(ACES)
_WIN, _KOT, _GOON_KOT, _WHITEWASH = (
    int(kind) for kind in (Kind.WIN, Kind.KOT, Kind.GOON_KOT, Kind.WHITEWASH)
)
_BY_TENS = np.array([Kind.MENDIKOT, Kind.MENDI, Kind.TRICKS, Kind.MENDI, Kind.MENDIKOT])
_SLOTS = 1 << 16


def solve(tables: Tables, ends: np.ndarray, group: np.ndarray) -> np.ndarray:
    """What each round, in the play and not over, pays team 0 with best play: (n,) float64.

    ends (n, 2, kinds): what it pays by the team that wins it and how. group (n,) int: tables of one
    number were dealt alike and have the same trump, card face down and ends; the work is shared.
    """
    rows = np.empty((len(tables), _WIDTH), np.int64)
    rows[:, :4] = tables.hands.view(np.int64)
    for place, name in enumerate(COLUMNS, 4):
        rows[:, place] = getattr(tables, name)
    trick = tables.trick.astype(np.int64)
    rows[:, _TRICK] = ((trick >= 0) << np.maximum(trick, 0)).sum(axis=1)
    rows[:, _TRICKS : _TRICKS + 2] = tables.tricks
    rows[:, _TENS : _TENS + 2] = tables.tens
    return _solve_all(rows, ends, group, _told(tables.rules))


def _told(rules: Rules) -> np.ndarray:
    return np.array(
        [
            rules.trump == Trump.CUT,
            rules.trump == Trump.HIDDEN and rules.shown == Shown.FIRST_VOID,
            rules.collects == Collects.PILE,
            rules.goal == Goal.TENS,
            rules.play_out,
            rules.ace_over_ace,
            rules.trump_ace_cannot_seal,
            rules.no_late_pickup,
            tricks_in_a_kot(rules),
        ],
        np.int64,
    )


@njit(cache=True)
def _rest(row):
    """What a position between tricks is besides its cards and what its group has in common."""
    packed = row[_LEADER] | (row[_DOWN] >= 0) << 2 | (row[_TRUMP] + 1) << 3
    packed |= row[_TRICKS] << 6 | row[_TRICKS + 1] << 10 | row[_TENS] << 14 | row[_TENS + 1] << 17
    return packed | row[_PILE_TENS] << 20 | (row[_WAITING] + 1) << 23 | row[_ACE] << 26


@njit(cache=True)
def _slot(cards, rest):
    mixed = (cards ^ rest * 0x2545F4914F6CDD1D) * 0x1B873593CC9E2D51
    return (mixed >> 40) & (_SLOTS - 1)


@njit(cache=True)
def _highest(cards):
    """The highest member of a set of cards: exact, as a float has 53 bits."""
    return math.frexp(float(cards))[1] - 1


@njit(cache=True)
def _cards_to_try(row, told):
    """The cards that may be played (R3.2, R7.3), of those that come to the same the highest."""
    hand = row[row[_SEAT]]
    if row[_MUST] and hand & _LANE << 13 * row[_TRUMP]:
        hand &= _LANE << 13 * row[_TRUMP]
    elif row[_LED] >= 0 and hand & _LANE << 13 * row[_LED]:
        hand &= _LANE << 13 * row[_LED]
    in_play = row[0] | row[1] | row[2] | row[3] | row[_TRICK]
    if row[_DOWN] >= 0:
        in_play |= 1 << row[_DOWN]
    singled_out = 0
    if told[_FOR_TENS]:
        singled_out |= _ALL_TENS
    if told[_TO_PILE] and (told[_ACE_OVER_ACE] or told[_NO_TRUMP_ACE]):
        singled_out |= _ALL_ACES
    left, tried, above = hand, 0, -1
    while left:
        card = _highest(left)
        bit = 1 << card
        left ^= bit
        double = False
        if above >= 0 and above // 13 == card // 13 and not (bit | 1 << above) & singled_out:
            between = (1 << above) - 2 * bit
            double = in_play & between == 0
        if not double:
            tried |= bit
        above = card
    return tried


@njit(cache=True)
def _may_show(row, told):
    """Whether the face-down card may be shown now (R7.3, R7.4)."""
    if row[_DOWN] < 0:
        return False
    if row[_LED] < 0:
        return row[_OWNER] == row[_SEAT]
    return not told[_FIRST_VOID] and row[row[_SEAT]] & _LANE << 13 * row[_LED] == 0


@njit(cache=True)
def _show(row):
    """The face-down card goes back to its owner, its suit is the trump (R7.3, R9.3)."""
    row[_TRUMP] = row[_DOWN] // 13
    row[row[_OWNER]] |= 1 << row[_DOWN]
    row[_DOWN] = -1
    row[_MUST] = 1


@njit(cache=True)
def _play(row, card, told):
    """A card is played (R3, R8.2), and a trick that is full is taken; whether the round is over."""
    seat, suit, rank = row[_SEAT], card // 13, card % 13
    row[seat] ^= 1 << card
    row[_TRICK] |= 1 << card
    row[_TRICK_TENS] += rank == TEN
    if row[_LED] < 0:
        row[_LED] = suit
    if suit != row[_LED]:
        if told[_CUT] and row[_TRUMP] < 0:
            row[_TRUMP] = suit
        rank = rank + 13 if suit == row[_TRUMP] else -13
    row[_BEST] = max(row[_BEST], 4 * rank + seat)
    row[_MUST] = 0
    row[_SEAT] = (seat + 1) & 3
    if row[_SEAT] == row[_LEADER]:
        _take(row, told)
        if _is_over(row, told):
            return True
    in_doubt = told[_FIRST_VOID] and row[_DOWN] >= 0 and row[_LED] >= 0
    if in_doubt and row[row[_SEAT]] & _LANE << 13 * row[_LED] == 0:
        _show(row)
    return False


@njit(cache=True)
def _take(row, told):
    """The trick goes to its winner, or to the pile (R4, R6)."""
    winner, standing = row[_BEST] & 3, row[_BEST] >> 2
    by_ace = standing == ACE or standing == ACE + 13
    by_trump = standing >= 13 or row[_LED] == row[_TRUMP]
    row[_NUMBER] += 1
    row[_PILE] += 1
    row[_PILE_TENS] += row[_TRICK_TENS]
    row[_SEAT] = row[_LEADER] = winner
    row[_LED] = row[_BEST] = -1
    row[_TRICK] = row[_TRICK_TENS] = 0
    if told[_TO_PILE] and row[_NUMBER] < 13:
        second = row[_WAITING] == winner
        if told[_ACE_OVER_ACE] and by_ace and row[_ACE]:
            second = False
        if told[_NO_TRUMP_ACE] and by_ace and by_trump:
            second = False
        if told[_NO_LATE] and row[_NUMBER] >= 11:
            second = False
        row[_WAITING] = -1 if second else winner
        row[_ACE] = by_ace and not second
        if not second:
            return
    row[_TRICKS + (winner & 1)] += row[_PILE]
    row[_TENS + (winner & 1)] += row[_PILE_TENS]
    row[_PILE] = row[_PILE_TENS] = 0


@njit(cache=True)
def _is_over(row, told):
    """Whether the round is decided (R4.1, R6.5, R9.5)."""
    ours, theirs = row[_TRICKS], row[_TRICKS + 1]
    if not told[_FOR_TENS]:
        most, fewest = max(ours, theirs), min(ours, theirs)
        return most >= 7 and (fewest > 0 or most == told[_KOT_TRICKS])
    if told[_PLAYED_OUT] or row[_NUMBER] == 13:
        return row[_NUMBER] == 13
    ours_last, tens_last = 13 - theirs, 4 - row[_TENS + 1]
    return _tens_winner(ours, row[_TENS]) == _tens_winner(ours_last, tens_last) and (
        _tens_kind(ours, row[_TENS]) == _tens_kind(ours_last, tens_last)
    )


@njit(cache=True)
def _winner(row, told):
    """The team that has won a round that is over."""
    if told[_FOR_TENS]:
        return _tens_winner(row[_TRICKS], row[_TENS])
    return int(row[_TRICKS + 1] > row[_TRICKS])


@njit(cache=True)
def _kind(row, told):
    """How it has won."""
    if told[_FOR_TENS]:
        return _tens_kind(row[_TRICKS], row[_TENS])
    if min(row[_TRICKS], row[_TRICKS + 1]) > 0:
        return _WIN
    return _GOON_KOT if _winner(row, told) == row[_DEALER] & 1 else _KOT


@njit(cache=True)
def _tens_winner(tricks, tens):
    """R9.1, from the tricks and tens of team 0."""
    return int(tricks < 7) if tens == 2 else int(tens < 2)


@njit(cache=True)
def _tens_kind(tricks, tens):
    """R9.4."""
    return _WHITEWASH if tricks == 0 or tricks == 13 else _BY_TENS[tens]


@njit(
    "float64(int64[:,::1], int64, float64, float64, int64[::1], float64[:,::1], int64[:,::1],"
    " float64[:,::1], int64)",
    cache=True,
)
def _value(stack, depth, alpha, beta, told, ends, keys, bounds, group):
    """The value of the position at this depth of the stack, or a bound outside (alpha, beta)."""
    row = stack[depth]
    slot, cards, rest = -1, 0, 0
    if row[_LED] < 0 and row[_MUST] == 0:
        cards, rest = row[0] | row[1] | row[2] | row[3], _rest(row) | group << 32
        slot = _slot(cards, rest)
        if keys[slot, 0] == cards and keys[slot, 1] == rest:
            alpha, beta = max(alpha, bounds[slot, 0]), min(beta, bounds[slot, 1])
            if alpha >= beta:
                return bounds[slot, 0] if bounds[slot, 0] >= beta else bounds[slot, 1]
    after = stack[depth + 1]
    ours = row[_SEAT] & 1 == 0
    best = -np.inf if ours else np.inf
    low, high = alpha, beta
    left, may_show = _cards_to_try(row, told), _may_show(row, told)
    while low < high and (left or may_show):
        after[:] = row
        over = False
        if left:
            card = _highest(left)
            left ^= 1 << card
            over = _play(after, card, told)
        else:
            may_show = False
            _show(after)
        if over:
            value = ends[_winner(after, told), _kind(after, told)]
        else:
            value = _value(stack, depth + 1, low, high, told, ends, keys, bounds, group)
        if ours:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
    if slot >= 0:
        if keys[slot, 0] != cards or keys[slot, 1] != rest:
            keys[slot, 0], keys[slot, 1] = cards, rest
            bounds[slot, 0], bounds[slot, 1] = -np.inf, np.inf
        if best > alpha:
            bounds[slot, 0] = best
        if best < beta:
            bounds[slot, 1] = best
    return best


@njit(cache=True)
def _solve_all(
    rows: np.ndarray, ends: np.ndarray, group: np.ndarray, told: np.ndarray
) -> np.ndarray:
    stack = np.empty((64, _WIDTH), np.int64)
    keys = np.zeros((_SLOTS, 2), np.int64)
    bounds = np.empty((_SLOTS, 2))
    values = np.empty(len(rows))
    for i in range(len(rows)):
        stack[0] = rows[i]
        values[i] = _value(stack, 0, -np.inf, np.inf, told, ends[i], keys, bounds, group[i] + 1)
    return values
