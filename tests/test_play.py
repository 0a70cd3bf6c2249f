"""A person at a table with agents, through lines of text."""

import builtins

import pytest

import rungenv
from train import play
from train.cli import main


@pytest.fixture
def person(monkeypatch, capsys):
    """Plays with what a function answers to each list of legal actions; returns all it saw."""

    def sit_down(answer, *args):
        lines = []

        def read(prompt=""):
            lines.append(capsys.readouterr().out)
            legal = lines[-1].splitlines()[-1].removeprefix("you may: ").split()
            return answer(legal)

        monkeypatch.setattr(builtins, "input", read)
        code = main(["play", *args])
        assert code == 0
        return "".join(lines) + capsys.readouterr().out

    return sit_down


def one_by_one(*answers):
    """The given answers, then the end of the input."""
    rest = list(answers)

    def answer(legal):
        if not rest:
            raise EOFError
        return rest.pop(0)

    return answer


@pytest.mark.parametrize("game", rungenv.VARIANTS)
def test_a_round_is_played_to_its_end(person, game):
    saw = person(lambda legal: legal[0].lower(), game, "--episode", "round", "--seed", "5")
    assert f"{game}, seed 5" in saw
    assert play.aim(rungenv.variant(game)) in saw
    assert "win the round" in saw
    assert "not legal" not in saw
    assert "takes the trick" in saw


def test_what_is_to_be_won_differs_from_game_to_game():
    assert len({play.aim(rules) for rules in map(rungenv.variant, rungenv.VARIANTS)}) == 6


def test_a_match_goes_on_until_it_is_won(person):
    args = ["single_sar", "--seed", "1", "--rules", "points_target=3", "new_cards=1"]
    saw = person(lambda legal: legal[-1], *args, "--opponents", "random")
    assert "They win the match." in saw
    assert saw.count("win the round") > 1


@pytest.mark.parametrize("seat", range(4))
def test_only_the_persons_own_cards_are_shown(person, seat):
    """Of the cards named before the first trick is over, all were dealt to the seat or played."""
    saw = person(one_by_one(), "be_ranga", "--seed", "8", "--seat", str(seat))
    tables = rungenv.deal(rungenv.variant("be_ranga"), 1, 8)
    own = {rungenv.card_name(card) for card in tables.deal[0, seat]}
    picture, last = saw.rsplit("you may: ", 1)
    assert set(last.split()[:13]) & own
    played = {
        line.split()[-1] for line in saw.splitlines() if line.startswith("   ") and ": " in line
    }
    hand = [line.split() for line in picture.splitlines() if line.strip()[:1] in tuple("♠♥♦♣")]
    shown = {rank + suit[0] for suit, *ranks in hand for rank in ranks}
    symbols = dict(zip("♣♦♥♠", "CDHS", strict=True))
    assert {card[0] + symbols[card[1]] for card in shown} == own
    assert not played & own


@pytest.mark.parametrize("seat", range(4))
def test_the_others_are_named_from_where_the_person_sits(person, seat):
    """The eldest hand leads, and each seat up to the person's plays one card."""
    saw = person(one_by_one(), "be_ranga", "--seed", "8", "--seat", str(seat))
    eldest = int(rungenv.deal(rungenv.variant("be_ranga"), 1, 8).seat[0])
    told = [line.split(":")[0].strip() for line in saw.splitlines()[1:] if ": " in line]
    turns = [play.NAMES[(eldest + turn - seat) % 4] for turn in range(4)]
    assert told[: told.index("you may")] == turns[: turns.index("you")]


def test_what_was_laid_by_others_stays_hidden(person):
    saw = person(one_by_one(), "mendikot_band", "--seed", "3", "--seat", "2")
    assert "lays a card face down" in saw


def test_wrong_input_is_answered_and_asked_for_again(person):
    legal_then = []
    texts = iter(["foo", "", "NEW_CARDS", "10x", "?", " ", "QUIT"])

    def answer(legal):
        legal_then.append(legal)
        return next(texts)

    saw = person(answer, "single_sar", "--seed", "4")
    assert "no action is called 'foo'" in saw
    assert "NEW_CARDS is not legal now" in saw
    assert "Type what you do" in saw
    assert saw.endswith("good-bye\n")
    assert all(legal == legal_then[0] for legal in legal_then)


def test_words_may_be_typed_in_any_case_and_calls_by_a_letter():
    tables = rungenv.deal(rungenv.variant("single_sar", call_any_suit=True), 1, seed=0)
    legal = tables.legal()[0]
    for text in ("CALL_H", "call h", "h", "H"):
        assert play.action_of(text, legal) == 54
    assert play.action_of("pass", legal) == 56
    with pytest.raises(ValueError, match="CALL_H is not legal now"):
        play.action_of("h", rungenv.bits.BIT[0])


@pytest.mark.parametrize(
    "text",
    ["spades", "Spade", "call spades", "CALL_SPADES", "call_s", "s", "♠", "call ♠", "call s"],
)
def test_a_suit_may_be_called_by_letter_name_and_symbol(text):
    tables = rungenv.deal(rungenv.variant("single_sar", call_any_suit=True), 1, seed=0)
    assert play.action_of(text, tables.legal()[0]) == 55


@pytest.mark.parametrize("text", ["t♣", "T♣", "10♣", "tc", "10c", " TC "])
def test_a_card_may_be_typed_as_it_is_pictured(text):
    assert play.action_of(text, rungenv.bits.BIT[8]) == 8


def test_help_has_several_names():
    hearts = rungenv.bits.BIT[54]
    for text in ("?", "help", "HELP", "h", "H"):
        assert play.is_question(text, rungenv.bits.BIT[0])
        assert play.is_question(text, hearts) == (text.lower() != "h")
    assert not play.is_question("2c", hearts)


@pytest.mark.parametrize("text", ["10", "1", "foo", "call", "call x", "♠♠"])
def test_what_cannot_be_read_is_answered_with_the_hint(text):
    with pytest.raises(ValueError, match=rf"no action is called '{text}'.*; \? for help, quit"):
        play.action_of(text, rungenv.bits.BIT[0])


@pytest.mark.parametrize(
    "args", [["--seed", "-1"], ["--partner", "nobody"], ["--opponents", "nobody"], ["chess"]]
)
def test_an_error_comes_before_anything_else(capsys, args):
    assert main(["play", *args]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("word", ["quit", "q", "exit"])
def test_the_person_may_leave_at_any_time(person, word):
    assert person(one_by_one(word), "double_sar", "--seed", "0").endswith("good-bye\n")


def test_the_end_of_the_input_leaves_too(person):
    assert person(one_by_one(), "double_sar", "--seed", "0").endswith("good-bye\n")


def test_ctrl_c_leaves_without_a_traceback(monkeypatch, capsys):
    def interrupt(prompt=""):
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupt)
    assert main(["play", "single_sar", "--seed", "0"]) == 130
    assert capsys.readouterr().err.strip() == ""


def test_a_seed_deals_the_same_and_without_one_deals_differ(person):
    same = [person(one_by_one(), "single_sar", "--seed", "7") for _ in range(2)]
    assert same[0] == same[1]
    other = [person(one_by_one(), "single_sar") for _ in range(2)]
    assert other[0] != other[1]
