"""The OpenSpiel games: OpenSpiel's own tests, the rules behind them, and what players may know."""

import pickle
import random

import numpy as np
import openspiel_is_mcts
import pyspiel
import pytest

import rungenv
from rungenv import openspiel
from rungenv.actions import KEEP, NEW_CARDS
from rungenv.bits import members

SPECS = [openspiel.PREFIX + game for game in rungenv.VARIANTS] + [
    "python_rung_single_sar(new_cards=1 0 2 1,change_trump=True,dealer=1)",
    "python_rung_hidden_rung(new_cards=1 1 0 0,change_trump=True,dealer=0)",
    "python_rung_double_sar(trump=hidden,shown=first_void,scoring=kots,kots_target=1)",
    "python_rung_be_ranga(new_cards=0 2 0 0)",
    "python_rung_mendikot_band(new_cards=1 1 1 1,passing=True,play_out=True)",
]
PLAIN = SPECS[:6]


def chosen(state, rng):
    """Something to do in a state; new cards seldom enough that the round goes on."""
    if state.is_chance_node():
        return rng.choice(state.chance_outcomes())[0]
    actions = state.legal_actions()
    if NEW_CARDS in actions and rng.random() < 0.5:
        return KEEP
    return rng.choice(actions)


def states(game, seed, wanted=1.0, deal_seed=None):
    """A share of the states of a random round, fewer of those in which cards are dealt."""
    rng = random.Random(seed)
    deal_rng = rng if deal_seed is None else random.Random(deal_seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        state.apply_action(chosen(state, deal_rng if state.is_chance_node() else rng))
        if state.is_terminal() or rng.random() < (wanted / 5 if state.is_chance_node() else wanted):
            yield state


def known(state, player):
    """All that OpenSpiel can be told of what a player knows."""
    return (
        state.information_state_string(player),
        np.array(state.information_state_tensor(player), np.float32).tobytes(),
        state.observation_string(player),
        np.array(state.observation_tensor(player), np.float32).tobytes(),
    )


@pytest.mark.parametrize("spec", SPECS)
def test_it_passes_openspiels_random_simulation(spec):
    pyspiel.random_sim_test(pyspiel.load_game(spec), 2, serialize=True, verbose=False)


@pytest.mark.parametrize("spec", SPECS)
def test_a_round_is_that_of_the_rules(spec):
    """The same deals and actions at a table of rungenv: the same turns, choices and points."""
    game = pyspiel.load_game(spec)
    for seed in range(4):
        *_, state = states(game, seed, wanted=0)
        packs, moves = [[]], []
        for step in state.full_history():
            if step.player == pyspiel.PlayerId.CHANCE:
                packs[-1].append(step.action)
            else:
                moves.append((step.player, step.action))
                packs += [[]] if step.action == NEW_CARDS else []
        deals = [by_turn(pack, game.dealer) for pack in packs]
        redeals = [deals[1:]] if deals[1:] else None
        tables = rungenv.deal_hands(game.rules, deals[:1], game.dealer, redeals=redeals, seed=1)
        again = game.new_initial_state()
        for card in packs[0]:
            again.apply_action(card)
        for seat, action in moves:
            assert again.current_player() == seat == tables.seat[0]
            assert again.legal_actions() == members(tables.legal_set[0])
            rungenv.step(tables, [action])
            again.apply_action(action)
            for card in packs[tables.redeal[0]] if action == NEW_CARDS else ():
                again.apply_action(card)
            assert np.array_equal(again.table.tables.deal, tables.deal)
        ours, theirs = tables.points[0].tolist()
        assert ours != theirs
        assert state.returns() == again.returns() == [ours - theirs, theirs - ours] * 2
        assert abs(ours - theirs) <= game.max_utility() == -game.min_utility()
        assert len(moves) <= game.max_game_length()


def by_turn(pack, dealer):
    """Cards 5, 4 and 4 at a time from the seat after the dealer on (R1.3), counted out by hand."""
    hands = {(dealer + 1 + turn) % 4: [] for turn in range(4)}
    pack = iter(pack)
    for size in (5, 4, 4):
        for hand in hands.values():
            hand += [next(pack) for _ in range(size)]
    return [hands[seat] for seat in range(4)]


@pytest.mark.parametrize("spec", SPECS)
def test_a_resampled_state_cannot_be_told_from_the_true_one(spec):
    game = pyspiel.load_game(spec)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    rng, others = random.Random(1), 0
    for seed in range(2):
        for state in states(game, seed, wanted=0.3):
            for player in range(4):
                other = state.resample_from_infostate(player, sampler)
                assert known(other, player) == known(state, player)
                assert other.current_player() == state.current_player()
                assert len(other.history()) == len(state.history())
                others += other.history() != state.history()
                if state.current_player() == player:
                    assert other.legal_actions() == state.legal_actions()
            while not other.is_terminal() and rng.random() < 0.95:  # it can be played on
                other.apply_action(chosen(other, rng))
    assert others > 100


def test_the_same_random_numbers_give_the_same_state():
    *_, state = states(pyspiel.load_game("python_rung_hidden_rung"), 3, wanted=0)
    one, two, three = (state.resample_from_infostate(2, lambda x=x: x) for x in (0.2, 0.2, 0.7))
    assert one.history() == two.history() != three.history()


@pytest.mark.parametrize("spec", SPECS)
def test_what_a_player_cannot_see_does_not_change_what_it_is_told(spec):
    """Two cards change places wherever the player has not seen them, and all is played again."""
    game, rng, changed = pyspiel.load_game(spec), random.Random(spec), 0
    for seed in range(6):
        for state in states(game, seed, wanted=0.3):
            for player in range(4):
                other = exchanged(state, player, rng)
                if other is not None:
                    changed += 1
                    assert known(other, player) == known(state, player)
    assert changed > 60


def exchanged(state, player, rng):
    """The state with two unseen cards exchanged, or None if it could not have come to that."""
    game, history = state.get_game(), state.full_history()
    number = rng.randrange(len(state.given_up) + 1)
    pack = list(state.dealt[52 * number : 52 * number + 52])
    present = number == len(state.given_up)
    own = game.hands(bytes(range(len(pack))))[player]
    if present and (state.table is None or state.table.tables.phase[0] < 2):
        own = own[:5]  # R1.3
    seen = {pack[place] for place in own if place >= 0}
    if present and state.table is not None:
        table = state.table.tables
        if table.owner[0] == player and not table.owner_knows[0]:
            seen -= {table.face_down[0]}
        seen |= set(members(np.bitwise_or.reduce(table.played[0])))
    unseen = [card for card in pack if card not in seen]
    if len(unseen) < 2:
        return None
    one, two = rng.sample(unseen, 2)
    names, deal = {one: two, two: one}, 0
    other = game.new_initial_state()
    for step in history:
        action = step.action
        renamed = names.get(action, action) if deal == number else action
        is_lay = step.player >= 0 and other.table.tables.phase[0] < 4
        if step.player < 0 or is_lay:
            action = renamed
        if action not in other.legal_actions():
            return None
        deal += action == NEW_CARDS
        other.apply_action(action)
    return other if public(other) == public(state) else None


def public(state):
    """What all see of the cards, besides those that are played."""
    tables = [table.tables for table in state.tables]
    names = ("seat", "phase", "turned_up", "shown", "asker", "trump", "must_trump")
    return [[getattr(table, name)[0] for name in names] for table in tables]


@pytest.mark.parametrize("spec", SPECS)
def test_a_player_remembers_all_that_it_has_seen(spec):
    """Rounds from one deal: strings and tensors are as many as the different things seen."""
    game = pyspiel.load_game(spec)
    for player in range(4):
        strings, tensors = {}, {}
        for seed in range(5):
            for state in states(game, seed, deal_seed=1):
                past = seen_by(state, player)
                string, tensor, _, _ = known(state, player)
                assert strings.setdefault(string, past) == past
                assert tensors.setdefault(tensor, past) == past
        assert len(set(strings.values())) == len(strings) == len(tensors) > 100


def seen_by(state, player):
    """What a player has seen, deal by deal, read from the tables themselves."""
    facts = [(len(state.pack), state.received(player))] if state.table is None else []
    for table in (table.tables for table in state.tables):
        first_five, hand = int(table.first_five[0, player]), int(table.dealt[0, player])
        if table.phase[0] < 2:
            hand = first_five
        if table.owner[0] == player and not table.owner_knows[0] and table.face_down[0] >= 0:
            hand &= ~(1 << int(table.face_down[0]))
        facts.append((first_five, hand, int(table.turned_up[0]), int(table.shown[0])))
        opening = table.play_from[0] if table.phase[0] >= 4 else table.length[0]
        for place, entry in enumerate(table.history[0, : table.length[0]].tolist()):
            seat, action = entry >> 6, entry & 63
            is_hidden = place < opening and action < 52 and seat != player
            facts.append((seat, "lays a card" if is_hidden else action))
    return tuple(facts)


@pytest.mark.parametrize("spec", PLAIN)
def test_states_are_cloned_and_saved_as_they_stand(spec):
    game = pyspiel.load_game(spec)
    for state in states(game, 5, wanted=0.3):
        before = str(state), state.history()
        saved = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
        for other in (state.clone(), saved, pickle.loads(pickle.dumps(state))):
            assert (str(other), other.history()) == before
            while not other.is_terminal():
                other.apply_action(chosen(other, random.Random(0)))
        assert (str(state), state.history()) == before


@pytest.mark.parametrize("spec", SPECS)
def test_every_action_has_a_name(spec):
    for state in states(pyspiel.load_game(spec), 2):
        if state.is_terminal():
            assert state.legal_actions() == []
            continue
        player = state.current_player()
        for action in state.legal_actions():
            name = state.action_to_string(player, action)
            assert state.string_to_action(player, name) == action


def test_chance_deals_any_card_that_is_left():
    game = pyspiel.load_game("python_rung_be_ranga(new_cards=1 0 0 0)")
    state = game.new_initial_state()
    for _ in range(2):
        for left in range(52, 0, -1):
            cards, shares = zip(*state.chance_outcomes(), strict=True)
            assert len(set(cards)) == left
            assert shares == (1 / left,) * left
            state.apply_action(cards[left // 2])
        assert not state.is_chance_node()
        state.apply_action(state.legal_actions()[-1])  # NEW_CARDS, as long as there are any


@pytest.mark.parametrize("spec", SPECS)
def test_an_observation_is_the_view(spec):
    game = pyspiel.load_game(spec)
    observer = game.make_py_observer()
    for state in states(game, 8, wanted=0.3):
        for player in range(4) if state.table is not None else ():
            view = rungenv.observe(state.table.tables, player)
            observer.set_from(state, player)
            assert np.array_equal(observer.dict["view"], view.dense()[0])
            assert observer.dict["player"].tolist() == [float(i == player) for i in range(4)]
            assert state.observation_tensor(player) == observer.tensor.tolist()
            assert state.observation_string(player) == rungenv.explain(view)


def test_parameters_are_the_rules():
    game = pyspiel.load_game("python_rung_mendikot(trump=hidden,new_cards=1 0 0 2,dealer=2)")
    assert game.rules == rungenv.variant("mendikot_band", new_cards=(1, 0, 0, 2))
    assert game.dealer == 2
    again = pyspiel.load_game(str(game))
    assert again.rules == game.rules
    assert again.get_parameters() == game.get_parameters()
    assert {
        game: pyspiel.load_game(openspiel.PREFIX + game).rules for game in rungenv.VARIANTS
    } == {game: rungenv.variant(game) for game in rungenv.VARIANTS}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("trump=cup", "trump must be one of 'called', 'hidden', 'cut', not 'cup'"),
        ("dealer=4", "dealer must be from 0 to 3, not 4"),
        ("new_cards=1 2", "new_cards must be a whole number or four of them"),
        ("new_cards=1 2 x 0", "new_cards must be a whole number or four of them"),
        ("pasing=False", "Unknown parameter 'pasing'"),
        ("no_late_pickup=True", "contradicts collects"),
    ],
)
def test_what_is_no_game_is_refused(parameters, message):
    with pytest.raises((ValueError, pyspiel.SpielError), match=message):
        pyspiel.load_game(f"python_rung_single_sar({parameters})")


def test_what_is_illegal_is_refused_and_changes_nothing():
    game = pyspiel.load_game("python_rung_single_sar")
    first = game.new_initial_state()
    first.apply_action(7)
    dealt = next(state for state in states(game, seed=1) if state.current_player() >= 0)
    *_, last = states(game, seed=1)
    cases = [(first, 7), (first, 52), (dealt, NEW_CARDS), (dealt, 99), (last, 0)]
    for before, action in cases:
        after = before.clone()
        with pytest.raises(rungenv.IllegalAction, match="is not legal; legal: "):
            after.apply_action(action)
        assert str(after) == str(before)
        assert after.history() == before.history()


def test_what_cannot_be_observed_is_refused():
    game = pyspiel.load_game("python_rung_single_sar")
    for private in (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.ALL_PLAYERS):
        wanted = pyspiel.IIGObservationType(perfect_recall=True, private_info=private)
        with pytest.raises(ValueError, match="private_info of a SINGLE_PLAYER"):
            game.make_py_observer(wanted)
    with pytest.raises(ValueError, match="takes no parameters"):
        game.make_py_observer(None, {"size": 3})


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_is_mcts_plays_a_round(game, capsys):
    state = openspiel_is_mcts.main(game, simulations=5, seed=3)
    assert state.is_terminal()
    assert sum(state.returns()) == 0 != state.returns()[0]
    printed = capsys.readouterr().out
    assert printed.count("player ") >= 28
    assert f"returns: {state.returns()}" in printed
