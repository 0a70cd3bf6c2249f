"""Where a won trick goes: to its winner at once (R4), or to the pile (R6)."""

from rungenv.columns import Values, number, select, unless
from rungenv.rules import Collects, Rules
from rungenv.storage import Columns
from rungenv.trick import Taken, by_ace, by_trump


def tricks_in_a_kot(rules: Rules) -> int:
    """How many tricks to none make a kot: the first seven (R4.2), or the whole pile (R6.6)."""
    return 7 if rules.collects == Collects.TRICK else 13


def collect(state: Columns, taken: Taken) -> None:
    """Credit tricks that were just taken to a team, or lay them on the pile (R6.1)."""
    if state.rules.collects == Collects.TRICK:
        _credit(state, taken.seat, number(taken.full), taken.tens)
        return
    state.pile = state.pile + number(taken.full)
    state.pile_tens = state.pile_tens + taken.tens
    picks = _picks_up(state, taken)
    stays = taken.full & unless(picks)
    last = select(stays, taken.seat, state.waiting)
    state.waiting = last - picks * (last + 1)  # R6.3: -1 after a pick-up
    state.waiting_ace = select(taken.full, number(stays & by_ace(taken)), state.waiting_ace)
    _credit(state, taken.seat, state.pile * picks, state.pile_tens * picks)
    state.pile = state.pile * unless(picks)
    state.pile_tens = state.pile_tens * unless(picks)


def _picks_up(state: Columns, taken: Taken) -> Values:
    """When the pile is picked up: at a seat's second win in a row, and at trick 13: flags."""
    rules = state.rules
    second = state.waiting == taken.seat  # R6.2
    if rules.ace_over_ace:  # R6.7
        second = second & unless(by_ace(taken) & (state.waiting_ace == 1))
    if rules.trump_ace_cannot_seal:  # R6.7
        second = second & unless(by_ace(taken) & by_trump(state, taken))
    if rules.no_late_pickup:  # R6.7
        second = second & (state.trick_number < 11)
    return taken.full & (second | (state.trick_number == 13))  # R6.4


def _credit(state: Columns, seat: Values, tricks: Values, tens: Values) -> None:
    """Add tricks and tens to the counts of the seats' teams."""
    all_tricks, all_tens = state.by_team("tricks"), state.by_team("tens")
    for team in (0, 1):
        won = (seat & 1) == team
        all_tricks[team] += tricks * won
        all_tens[team] += tens * won
