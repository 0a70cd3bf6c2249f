"""A view in words: it says what the view holds, in every phase of every game, and no more."""

from pathlib import Path

import numpy as np
import pytest

import rungenv
from rungenv import VARIANTS, deal, explain, observe, step, variant
from rungenv.bits import choose
from rungenv.words import fields_table


@pytest.mark.parametrize("game", VARIANTS)
def test_every_phase_of_every_game_can_be_put_in_words(game):
    tables = deal(variant(game, new_cards=1), 8, seed=2)
    rng = np.random.default_rng(0)
    for _ in range(60):
        view = observe(tables)
        for row in range(8):
            words = explain(view, row)
            assert f"seat {view.seat[row]} sees" in words
            assert rungenv.Phase(int(view.phase[row])).name in words
            for card in rungenv.bits.members(view.hand[row]):
                assert rungenv.card_name(card) in words
        step(tables, choose(tables.legal_set, rng.random(8)))


def test_what_another_seat_laid_is_not_named():
    tables = deal(variant("hidden_rung"), 1, seed=1)
    card = rungenv.bits.members(tables.legal_set[0])[0]
    owner = int(tables.seat[0])
    step(tables, [card])
    assert "my_face_down" in explain(observe(tables, owner))
    words = explain(observe(tables, (owner + 1) % 4))
    assert "previous lays a card" in words
    assert "my_face_down" not in words


def test_the_table_of_columns_is_up_to_date():
    file = Path(rungenv.__file__).parent / "FIELDS.md"
    assert file.read_text("utf-8") == fields_table() + "\n"
