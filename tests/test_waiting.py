"""Tables that wait while others act: as if those that act were taken out and put back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rungenv
from rungenv.bits import choose

N = 64


def rules_of(game, extras):
    options = {"new_cards": 1} if extras else {}
    if extras and game in ("single_sar", "double_sar", "hidden_rung"):
        options["change_trump"] = True
    return rungenv.variant(game, **options)


@pytest.mark.parametrize("game", rungenv.VARIANTS)
@pytest.mark.parametrize("extras", [False, True], ids=["plain", "extras"])
def test_waiting_tables_stay_and_the_others_go_on_as_alone(game, extras):
    """Out of step with one another, some over, through more than one round."""
    tables = rungenv.deal(rules_of(game, extras), N, seed=3)
    rng = np.random.default_rng(0)
    for _ in range(110):
        actions = choose(tables.legal_set, rng.random(N))
        acting = rng.random(N) < 0.8
        waiting, alone = tables.take(~acting), tables.take(acting)
        wild = np.where(acting, actions, rng.integers(-99, 99, size=N))
        events = rungenv.step(tables, wild, acting)
        events_alone = rungenv.step(alone, actions[acting])
        assert tables.take(acting).save_state() == alone.save_state()
        assert tables.take(~acting).save_state() == waiting.save_state()
        for name in ("round_over", "match_over", "points", "kots"):
            told = getattr(events, name)
            assert (told[acting] == getattr(events_alone, name)).all()
            assert not told[~acting].any()
        tables.next_round((tables.seat < 0) & (rng.random(N) < 0.3))
    assert np.count_nonzero(tables.round) > N // 2


@given(st.sampled_from(rungenv.VARIANTS), st.integers(0, 2**32), st.data())
@settings(max_examples=60, deadline=None)
def test_any_order_of_waiting_leads_to_the_same_tables(game, seed, data):
    """Each table plays its own list of choices; when it waits does not matter."""
    n, steps = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 40))
    fractions = np.random.default_rng(seed).random((60, n))
    waiting = rungenv.deal(rungenv.variant(game), n, seed=seed)
    straight = waiting.copy()
    done = np.zeros(n, np.int64)
    for _ in range(steps):
        acting = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
        acting &= done < len(fractions)
        chosen = fractions[np.minimum(done, len(fractions) - 1), np.arange(n)]
        rungenv.step(waiting, choose(waiting.legal_set, chosen), acting)
        done += acting
    for table in range(n):
        alone = straight.take([table])
        for fraction in fractions[: done[table], table]:
            rungenv.step(alone, choose(alone.legal_set, np.array([fraction])))
        assert waiting.take([table]).save_state() == alone.save_state()


def test_an_illegal_action_is_refused_where_the_table_acts():
    tables = rungenv.deal(rungenv.variant("be_ranga"), 2, seed=0)
    legal = tables.legal_mask().argmax(axis=1)
    with pytest.raises(rungenv.IllegalAction, match="table 1"):
        rungenv.step(tables, np.array([legal[0], 60]), np.array([False, True]))
    assert tables.length.tolist() == [0, 0]
    rungenv.step(tables, np.array([60, legal[1]]), np.array([False, True]))
    assert tables.length.tolist() == [0, 1]


def test_nobody_acts():
    tables = rungenv.deal(rungenv.variant("double_sar"), 3, seed=0)
    before = tables.save_state()
    events = rungenv.step(tables, np.full(3, -1), np.zeros(3, bool))
    assert not events.round_over.any()
    assert tables.save_state() == before


@pytest.mark.parametrize(
    "acting", [True, [1, 0], [True], [[True, True]], np.ones(2), [[True], []], "no"]
)
def test_acting_must_be_flags(acting):
    tables = rungenv.deal(rungenv.variant("be_ranga"), 2, seed=0)
    before = tables.save_state()
    with pytest.raises(ValueError, match="acting must be"):
        rungenv.step(tables, tables.legal_mask().argmax(axis=1), acting)
    assert tables.save_state() == before
