"""A round's actions so far as columns: what was done, by whom, when, and nothing that is hidden."""

import numpy as np
import pytest

import rungenv
from agents.encoding import Encoding, drawn_orders
from agents.past import COLUMNS, OPENING, past_columns
from rungenv.state import Phase, history_length
from rungenv.view import LAID, NOTHING
from test_encoding import GAMES, positions, renamed


def rows_of(columns):
    return columns.reshape(len(columns), -1, COLUMNS)


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_the_columns_are_the_history_action_by_action(game, options):
    rules = rungenv.variant(game, **options)
    length = history_length(rules)
    rng = np.random.default_rng(0)
    laid_by_others = 0
    for tables, _, _ in positions(rules, 6, seed=1):
        view = rungenv.observe(tables)
        order = drawn_orders(len(view), rng)
        found = rows_of(past_columns(view, order, length))
        for row, (pairs, slots) in enumerate(zip(view.history_pairs(), order, strict=True)):
            to_slot = np.argsort(slots).tolist()
            played = 0
            for number, (action, seat) in enumerate(pairs.tolist()):
                if action == NOTHING:
                    assert found[row, number:].tolist() == [[NOTHING, 0, 0]] * (length - number)
                    break
                in_play = tables.phase[row] >= Phase.PLAY and number >= tables.play_from[row]
                choice = int(renamed([action], to_slot)[0])
                when = played if in_play and (action < 52 or played) else OPENING
                assert found[row, number].tolist() == [choice, seat, when]
                played += in_play and action < 52
                if action == LAID:
                    laid_by_others += 1
                assert when < OPENING or action >= 52 or seat == 0, "only the owner knows its card"
    assert (laid_by_others > 0) == (rules.trump == "hidden")


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_suits_and_slots_renamed_together_leave_the_past_as_it_was(game, options):
    rules = rungenv.variant(game, **options)
    encoding = Encoding(("hand",), "shuffled", past=history_length(rules))
    rng = np.random.default_rng(2)
    for tables, twins, names in positions(rules, 8, seed=2):
        order = drawn_orders(len(names), rng)
        twin_order = np.take_along_axis(np.array(names), order, axis=1)
        features = encoding.features(rungenv.observe(tables), order)
        assert features.shape == (len(names), encoding.width)
        assert np.array_equal(features, encoding.features(rungenv.observe(twins), twin_order))


def test_of_a_long_past_the_last_actions_are_read():
    for tables, _, _ in positions(rungenv.variant("mendikot_band"), 4, seed=3):
        view = rungenv.observe(tables)
        order = np.tile(np.arange(4), (len(view), 1))
        whole = rows_of(past_columns(view, order, 70))
        last = rows_of(past_columns(view, order, 9))
        for row in range(len(view)):
            done = int((whole[row, :, 0] != NOTHING).sum())
            expected = whole[row, max(0, done - 9) : max(9, done)]
            assert np.array_equal(last[row], expected)
