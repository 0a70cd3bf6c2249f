"""Tables as text: everything an onlooker wants to know, and nothing that a seat must not."""

import numpy as np
import pytest

import rungenv
from rungenv import bits
from rungenv.render import table_text
from rungenv.seat_env import SeatEnv
from rungenv.sentences import game_name
from tables import SUITED, Game

OPTIONS = [
    *((game, {}) for game in rungenv.VARIANTS),
    ("single_sar", {"change_trump": True, "new_cards": 1}),
    ("hidden_rung", {"change_trump": True, "new_cards": 1, "collects": "pile"}),
    ("mendikot_band", {"play_out": True, "new_cards": 2}),
]


def picture(game, seat=None):
    """The table as a seat sees it, or with all hands."""
    return table_text(game.tables, 0, seat, reveal=seat is None)


def played_at_random(game, options, seed, n=1):
    """The tables of a game before each step of random play, and when the rounds are over."""
    tables = rungenv.deal(rungenv.variant(game, **options), n, seed=seed)
    rng = np.random.default_rng(seed)
    while (tables.seat >= 0).any():
        yield tables
        rungenv.step(tables, bits.choose(tables.legal(), rng.random(n)))
    yield tables


def with_other_hidden_cards(tables, viewer, rng):
    """A copy of one table in which the cards that a seat has not seen have changed places."""
    hidden = bits.members(rungenv.observe(tables, viewer).unseen[0])
    place = np.arange(64)
    place[hidden] = rng.permutation(hidden)
    other = tables.copy()
    for column in (other.hands, other.first_five, other.dealt):
        column[0] = [bits.union(place[bits.members(word)]) for word in column[0]]
    other.deal[0] = place[tables.deal[0]]
    other.face_down[0] = place[tables.face_down[0]] if tables.face_down[0] >= 0 else -1
    opening = tables.play_from[0] if tables.phase[0] >= rungenv.Phase.PLAY else tables.length[0]
    laid = tables.history[0, :opening]
    other.history[0, :opening] = laid // 64 * 64 + place[laid % 64]
    return other


@pytest.mark.parametrize(("game", "options"), OPTIONS)
@pytest.mark.parametrize("names", [{}, {"names": ["a quite long name"] * 4}], ids=["", "names"])
def test_any_table_fits_in_80_columns(game, options, names):
    for tables in played_at_random(game, options, seed=1, n=3):
        for row, seat in ((0, None), (1, 1), (2, 3)):
            lines = table_text(tables, row, seat, reveal=seat is None, **names).split("\n")
            assert max(map(len, lines)) <= 80
            assert lines == [line.rstrip() for line in lines]
            assert len(lines) <= 24


@pytest.mark.parametrize(("game", "options"), OPTIONS)
def test_a_seat_sees_nothing_that_it_must_not(game, options):
    rng = np.random.default_rng(0)
    for seed in range(3):
        for tables in played_at_random(game, options, seed):
            viewer = int(rng.integers(4))
            other = with_other_hidden_cards(tables, viewer, rng)
            assert table_text(tables, 0, viewer) == table_text(other, 0, viewer)


def test_the_calling():
    game = Game("single_sar", deal=SUITED)
    text = picture(game)
    assert text.startswith("single sar, round 1 ")
    assert " to 10 points\n" in text
    assert "\nno trump yet\n" in text
    assert "> player_0\n" in text
    assert "  player_3 (dealer) " in text
    assert text.endswith("\n\nplayer_0 to call.")
    assert picture(game.play("PASS")).endswith("\nplayer_0 passed.\nplayer_2 to call.")
    text = picture(game.play("TIMEOUT"))
    assert "\ntrump ♣ clubs, 7♣ turned up for player_0\n" in text
    assert text.endswith("\nplayer_2 let the time run out.\nplayer_0 to play.")


def test_five_cards_are_seen_while_calling():
    game = Game("single_sar", deal=SUITED)
    assert picture(game, 0).count("5 cards") == 3
    for seat in (None, 0):
        assert "♣ 6 5 4 3 2\n" in picture(game, seat)
    game.play("CALL_C")
    assert picture(game, 0).count("13 cards") == 3
    assert "♣ A K Q J T 9 8 7 6 5 4 3 2\n" in picture(game, 0)
    assert "\ntrump ♣ clubs, called by player_0\n" in picture(game, 2)
    assert picture(game, 2).endswith("\nplayer_0 called ♣ clubs.\nplayer_0 to play.")


def test_a_trick_stays_in_sight_until_the_next():
    game = Game("be_ranga", "AC", "KC", "QC", "JC").play("AC KC QC")
    text = picture(game)
    assert all(card in text for card in (" A♣*", " K♣ ", " Q♣ "))
    text = picture(game.play("JC"))
    assert all(card in text for card in ("(A♣)", "(K♣)", "(Q♣)", "(J♣)"))
    assert text.endswith("\nplayer_3 played J♣.\nplayer_0 to play.")
    assert "\nplayer_0 and player_2   tricks 1   points 0   kots 0   streak 0\n" in text
    assert "\nplayer_3 and player_1   tricks 0 " in picture(game, 3)
    assert picture(game, 3).count("  12 cards") == 3


@pytest.mark.parametrize(("seat", "around"), [*enumerate(("AKQJ", "KQJA", "QJAK", "JAKQ"))])
def test_play_goes_round_to_the_right(seat, around):
    game = Game("be_ranga", "AC", "KC", "QC", "JC").play("AC KC QC JC")
    shown = "".join(line for line in picture(game, seat).split("\n") if "♣)" in line)
    bottom, right, top, left = (f"({rank}♣)" for rank in around)
    assert sorted((top, left, right, bottom), key=shown.index) == [top, left, right, bottom]


def test_no_trump_until_it_is_cut():
    game = Game("mendikot", deal=SUITED)
    assert "\nno trump yet\n" in picture(game)
    assert "\ntrump ♦ diamonds\n" in picture(game.play("2C 2D"))


class TestHiddenTrump:
    def test_while_it_is_down(self):
        game = Game("hidden_rung", deal=SUITED)
        assert picture(game).endswith("\nplayer_0 to lay a card face down.")
        game.play("2C")
        for seat in (None, 0):
            text = picture(game, seat)
            assert "\nthe trump is player_0's face-down card (2♣)\n" in text
            assert "\nplayer_0 laid 2♣ face down.\n" in text
        for seat in (1, 2, 3):
            text = picture(game, seat)
            assert "\nthe trump is player_0's face-down card\n" in text
            assert "\nplayer_0 laid a card face down.\n" in text
            assert "  12 cards" in text

    def test_when_nobody_has_seen_it(self):
        game = Game("hidden_rung", deal=SUITED).play("PASS TIMEOUT")
        for seat in range(4):
            text = picture(game, seat)
            assert "\nthe trump is player_0's face-down card, which nobody has seen\n" in text
        assert " face-down card (7♣), which nobody has seen\n" in picture(game)

    def test_once_it_is_shown(self):
        game = Game("hidden_rung", deal=SUITED).play("2C 3C REVEAL")
        for seat in (None, 0, 1):
            text = picture(game, seat)
            assert "\ntrump ♣ clubs: player_0's 2♣, shown at player_1's turn\n" in text
            assert text.endswith("\nplayer_1 had the face-down card shown.\nplayer_1 to play.")

    def test_unshown_at_the_end(self):
        game = Game("hidden_rung", deal=SUITED).play("2C" + " ." * 28)
        text = picture(game, 1)
        assert "\nno trump: player_0's 2♣ was not shown before the end\n" in text
        assert text.endswith("\nplayer_2 and player_0 win the round with a kot.")


def test_the_pile():
    game = Game("double_sar", deal=SUITED).play("CALL_C")
    assert "\npile: 0 tricks\n" in picture(game)
    game.play("AC . . .")
    assert "\npile: 1 trick; player_0 won the last one with an ace\n" in picture(game)
    game.play("KC . . .")
    assert "\npile: 0 tricks\n" in picture(game)
    assert "\nplayer_0 and player_2   tricks 2 " in picture(game)
    game = Game("mendikot", deal=SUITED, collects="pile").play("2C . . .")
    assert "\npile: 1 trick with 0 tens; player_1 won the last one\n" in picture(game)


def test_the_tens():
    game = Game("mendikot", "TC", "AC", "KC", "QC").play("TC AC KC QC")
    assert "\nplayer_1 and player_3   tricks 1   tens 1   points 0\n" in picture(game)


def test_the_extras():
    game = Game("single_sar", deal=SUITED, new_cards=1, change_trump=True).play("CALL_C")
    assert picture(game).endswith("\nplayer_0 may ask for new cards.")
    assert "\nplayer_0 kept things as they are.\n" in picture(game.play("KEEP"))
    text = picture(game.play("NEW_CARDS"))
    assert text.endswith("\nplayer_1 asked for new cards.\nplayer_0 to call.")
    game.play("CALL_C KEEP KEEP KEEP")
    assert picture(game).endswith("\nplayer_0 may change the trump.")


@pytest.mark.parametrize(
    ("game", "result"),
    [
        ("single_sar", "player_2 and player_0 win the round with a kot."),
        ("mendikot", "player_1 and player_3 win the round with all the tricks: a whitewash."),
    ],
)
def test_the_end(game, result):
    game = Game(game, deal=SUITED, points_target=2)
    game.play("CALL_C" if game.phase == "CALL" else "2C 2D 2H 2S")
    while game.phase != "OVER":
        game.play(".")
    assert picture(game, 1).endswith(f"{result}\nThey win the match.")


def test_games_have_their_names_house_rules_or_not():
    for game in rungenv.VARIANTS:
        options = {"points_target": 3, "new_cards": 1}
        assert game_name(rungenv.variant(game, **options)) == game.replace("_", " ")
    assert game_name(rungenv.variant("double_sar", no_late_pickup=True)) == "double sar"
    assert game_name(rungenv.variant("single_sar", goal="tens")) == "court piece"


def test_rounds_are_counted_anew_in_every_match():
    tables = rungenv.deal(rungenv.variant("single_sar", points_target=2), 1, seed=4)

    def said():
        return rungenv.picture(tables, 0, 0).text().split(" ")[3]

    counted = [said()]
    while len(counted) < 12:
        rungenv.step(tables, tables.legal_mask().argmax(axis=1))
        if tables.seat[0] < 0:
            won = tables.match_winner[0] >= 0
            tables.next_round()
            counted.append(said())
            assert counted[-1] == ("1" if won else str(int(counted[-2]) + 1))
    assert "1" in counted[1:]
    assert "2" in counted
    env = SeatEnv("mendikot", seat=0, render_mode="ansi")
    for _ in range(2):
        env.reset(seed=None)
        assert env.render().startswith("mendikot, round 1")
