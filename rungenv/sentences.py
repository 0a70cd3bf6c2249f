"""What there is to say about a scene: the words under every picture of a table, drawn or typed.

Suits appear as their symbols. A line is a sentence without its full stop, or a phrase.
"""

from rungenv.actions import CALL, KEEP, NEW_CARDS, PASS, REVEAL, TIMEOUT
from rungenv.cards import RANKS, SUIT_NAMES, SUIT_SYMBOLS
from rungenv.rules import PRESETS, Goal, Rules, Trump
from rungenv.scene import Scene
from rungenv.state import Kind, Phase
from rungenv.view import LAID

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


def target(rules: Rules) -> str:
    """What wins the match."""
    return f"to {_counted(rules.target, rules.scoring[:-1])}"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def counts(scene: Scene) -> list[tuple[str, tuple[int, ...]]]:
    """What is counted in the game, by name: a number for each team."""
    names = ["tricks", "points"]
    if scene.rules.goal == Goal.TENS:
        names.insert(1, "tens")
    else:
        names += ["kots", "streak"]
    return [(name, getattr(scene, name)) for name in names]


def trump(scene: Scene) -> str:
    """The trump, and how it came to be."""
    if scene.rules.trump == Trump.HIDDEN and scene.owner >= 0:
        return _hidden_trump(scene)
    if scene.trump < 0:
        return "no trump yet" if scene.to_act >= 0 else "no trump"
    text = f"trump {suit_text(scene.trump)}"
    if scene.caller < 0:
        return text
    caller = scene.names[scene.caller]
    if scene.turned_up < 0:
        return f"{text}, called by {caller}"
    card = card_text(scene.turned_up)
    if scene.turned_up // 13 == scene.trump:  # nobody has called it (R2.4)
        return f"{text}, {card} turned up for {caller}"
    return f"{text}, called by {caller} ({card} was turned up)"


def _hidden_trump(scene: Scene) -> str:
    owner = scene.names[scene.owner]
    if scene.is_down:
        seen = f" ({card_text(scene.face_down)})" if scene.face_down >= 0 else ""
        unseen = "" if scene.owner_knows else ", which nobody has seen"
        return f"the trump is {owner}'s face-down card{seen}{unseen}"
    card = f"{owner}'s {card_text(scene.shown)}"
    if scene.trump < 0:
        return f"no trump: {card} was not shown before the end"
    return f"trump {suit_text(scene.trump)}: {card}, shown at {scene.names[scene.asker]}'s turn"


def pile(scene: Scene) -> str:
    """What lies on the pile, and who may pick it up with another win."""
    text = f"pile: {_counted(scene.pile, 'trick')}"
    if scene.rules.goal == Goal.TENS:
        text += f" with {_counted(scene.pile_tens, 'ten')}"
    if scene.waiting >= 0:
        text += f"; {scene.names[scene.waiting]} won the last one"
        text += " with an ace" if scene.waiting_ace else ""
    return text


def actions(scene: Scene) -> list[str]:
    """Who did what, in order since the round began."""
    cards = sum(action < CALL for _, action in scene.history)
    said = []
    for seat, action in scene.history:
        cards -= action < CALL
        done = _done(action, is_play=cards < scene.cards_played)
        said.append(f"{scene.names[seat]} {done}")
    return said


def _done(action: int, *, is_play: bool) -> str:
    if action < CALL:
        card = card_text(action)
        return f"played {card}" if is_play else f"laid {card} face down"
    suit = action - CALL
    return f"called {suit_text(suit)}" if suit < 4 else _ANSWERS[action]


def outlook(scene: Scene) -> list[str]:
    """Who is to do what now, or how the round has ended."""
    if scene.to_act >= 0:
        return [f"{scene.names[scene.to_act]} {awaited(scene)}"]
    lines = [f"{scene.team(scene.winner)} win the round{_KINDS[scene.kind]}"]
    return [*lines, "They win the match"] if scene.match_is_won else lines


def awaited(scene: Scene) -> str:
    """What the seat to act is to do."""
    if scene.phase <= Phase.PARTNER_CALL and scene.rules.trump == Trump.HIDDEN:
        return "to lay a card face down"
    return _WAITING[scene.phase]
