"""Fields that only the order of the plays tells: held to the records of the games."""

import numpy as np
import pytest

import agents
import rungenv
from agents.derived import DERIVED, columns_with, layout_with
from agents.encoding import Encoding
from rungenv.actions import REVEAL
from rungenv.rules import Trump


def watched(rules, n, seed):
    """Every position of random play, with what was played in each round: [(card, seat), ...]."""
    rng = np.random.default_rng(seed)
    tables = rungenv.deal(rules, n, seed)
    plays = [[] for _ in range(n)]
    while (tables.seat >= 0).any():
        live = np.flatnonzero(tables.seat >= 0)
        yield rungenv.observe(tables.take(live)), [plays[row] for row in live]
        actions = agents.make("random").act(rungenv.observe(tables.take(live)), rng)
        is_play = tables.phase[live] == rungenv.Phase.PLAY
        for row, action, playing in zip(live, actions, is_play, strict=True):
            if playing and action < 52:
                plays[row].append((int(action), int(tables.seat[row])))
            if action == rungenv.actions.NEW_CARDS:
                plays[row].clear()
        every = np.full(n, REVEAL)
        every[live] = actions
        rungenv.step(tables, every, tables.seat >= 0)


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_who_led_what_and_who_cut_is_as_it_was_played(game):
    rules = rungenv.variant(game)
    led_somewhere = cut_somewhere = 0
    for view, plays in watched(rules, 5, seed=5):
        columns = columns_with(view, ("led_suits", "cutter"))
        led, cutter = columns[:, :16].reshape(-1, 4, 4), columns[:, 16:]
        for row, played in enumerate(plays):
            seat = int(view.seat[row])
            expected = np.zeros((4, 4))
            for card, who in played[::4]:
                expected[(who - seat) % 4, card // 13] = 1
            np.testing.assert_array_equal(led[row], expected)
            suits = [card // 13 for card, _ in played]
            leads = np.repeat(suits[::4], 4)
            off = [who for suit, led_suit, (_, who) in zip(suits, leads, played, strict=False)
                   if suit != led_suit]  # fmt: skip
            assert cutter[row].tolist() == [off[:1] == [(seat + turn) % 4] for turn in range(4)]
            led_somewhere += expected.any()
            cut_somewhere += bool(off)
    assert led_somewhere > 40
    assert cut_somewhere > 40


def test_derived_fields_come_after_the_dense_ones_and_by_slot():
    names = ("led_suits", "hand", "cutter", "dealer")
    layout = layout_with(names)
    assert {name: layout[name].start for name in names} == {
        "hand": 0, "dealer": 52, "led_suits": 56, "cutter": 72,
    }  # fmt: skip
    encoding = Encoding(names)
    [(view, _)] = [
        each for at, each in enumerate(watched(rungenv.variant("be_ranga"), 6, seed=1)) if at == 30
    ]
    order = encoding.order(view)
    features = encoding.features(view, order)
    assert features.shape[1] == encoding.width == 76
    led = columns_with(view, ("led_suits",)).reshape(-1, 4, 4)  # by seat, then suit
    by_slot = np.take_along_axis(led, order[:, None], axis=2).swapaxes(1, 2)
    assert led.any()
    np.testing.assert_array_equal(
        features[:, encoding.columns_of("led_suits")], by_slot.reshape(-1, 16)
    )
    np.testing.assert_array_equal(
        features[:, encoding.columns_of("cutter")], columns_with(view, ("cutter",))
    )
    assert (encoding.scale() == 1).all()


def test_an_unknown_field_is_named_with_the_nearest():
    with pytest.raises(ValueError, match=r"no field is called 'led_suit'.*led_suits"):
        layout_with(("hand", "led_suit"))
    assert set(DERIVED).isdisjoint(rungenv.FIELDS)


def test_networks_of_games_that_cut_read_them_by_default():
    from train.settings import fields_for

    for game in rungenv.VARIANTS:
        rules = rungenv.variant(game)
        assert (set(DERIVED) <= set(fields_for(rules))) == (rules.trump == Trump.CUT)
