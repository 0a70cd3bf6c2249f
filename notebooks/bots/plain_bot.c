/* A player for all the games of Court Piece, in C99 and nothing else. It speaks the protocol of
 * agents/PROTOCOL.md: a line of JSON comes in, the name of an action goes out.
 *
 *     cc -std=c99 -O2 -o plain_bot plain_bot.c
 *     rung arena single_sar process:./plain_bot greedy
 *
 * It reads just what it needs of a line, by looking for the key. That is safe because keys come in
 * the order that the protocol gives, `rules` last, and no text in a line holds a quote.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long Cards; /* bit 13 * suit + rank */

static const char SUITS[] = "CDHS", RANKS[] = "23456789TJQKA";
static const Cards SUIT = 0x1FFF;         /* the clubs; those of suit s are SUIT << 13 * s */
static const Cards TWOS = 0x8004002001ULL; /* those of rank r are TWOS << r */
enum { NOBODY = -1, ME = 0, PARTNER = 2 };       /* seats */
enum { TEN = 8, JACK = 9, KING = 11, ACE = 12 }; /* ranks */

/* What a line says of a key: the text after "key": */
static const char *value(const char *line, const char *key)
{
    char quoted[40];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(line, quoted);
    if (!found) {
        fprintf(stderr, "the request has no %s\n", key);
        exit(1);
    }
    return found + strlen(quoted);
}

/* A number, a seat or a count; NOBODY for null. */
static int number(const char *line, const char *key)
{
    const char *text = value(line, key);
    return *text == 'n' ? NOBODY : atoi(text);
}

/* A suit, 0 to 3; -1 for null. */
static int suit(const char *line, const char *key)
{
    const char *text = value(line, key);
    return *text == '"' ? (int)(strchr(SUITS, text[1]) - SUITS) : -1;
}

/* Whether a key's value is this word. */
static int says(const char *line, const char *key, const char *word)
{
    const char *text = value(line, key);
    size_t length = strlen(word);
    return *text == '"' && !strncmp(text + 1, word, length) && text[length + 1] == '"';
}

/* The cards of a list of names; of one name; or none. Other words in a list are passed over. */
static Cards cards(const char *line, const char *key)
{
    Cards set = 0;
    const char *text = value(line, key);
    int is_list = *text == '[';
    while (*text == '[' || *text == ',' || *text == '"') {
        if (*text == '[' || *text == ',')
            text++;
        if (*text != '"')
            break;
        const char *end = strchr(++text, '"');
        if (end - text == 2)
            set |= 1ULL << (13 * (strchr(SUITS, text[1]) - SUITS) + (strchr(RANKS, text[0]) - RANKS));
        text = end + 1;
        if (!is_list)
            break;
    }
    return set;
}

/* Whether an action is legal. */
static int may(const char *line, const char *action)
{
    char quoted[20];
    const char *legal = value(line, "legal");
    snprintf(quoted, sizeof quoted, "\"%s\"", action);
    const char *found = strstr(legal, quoted);
    return found && found < strchr(legal, ']');
}

/* Whether the trump is still to be made by the first card off the led suit. */
static int is_uncut(const char *line)
{
    return says(value(line, "rules"), "trump", "cut") && suit(line, "trump") < 0;
}

/* All cards of a suit, none of suit -1. */
static Cards lane(int suit)
{
    return suit < 0 ? 0 : SUIT << 13 * suit;
}

static int count(Cards set)
{
    int n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

/* The card of the lowest rank, or of the highest; of several such, from the shortest suit held. */
static Cards extreme(Cards set, Cards hand, int highest)
{
    Cards best = 0;
    int best_key = 0;
    for (int card = 0; card < 52; card++) {
        if (!(set >> card & 1))
            continue;
        int rank = highest ? ACE - card % 13 : card % 13;
        int key = 1000 - 20 * rank - count(hand & lane(card / 13));
        if (!best || key > best_key) {
            best = 1ULL << card;
            best_key = key;
        }
    }
    return best;
}

static Cards either(Cards first, Cards otherwise)
{
    return first ? first : otherwise;
}

/* How good a trump each suit would be: its length first, then its honours. */
static int strongest_suit(Cards hand, int *length)
{
    int best = 0, best_strength = -1;
    for (int s = 0; s < 4; s++) {
        int strength = 16 * count(hand & lane(s)) + (int)((hand >> 13 * s & SUIT) >> JACK);
        if (strength > best_strength) {
            best = s;
            best_strength = strength;
            *length = count(hand & lane(s));
        }
    }
    return best;
}

/* The cards that it would lead. */
static Cards lead(const char *line, Cards legal, Cards hand, Cards trumps)
{
    Cards masters = cards(line, "masters") & legal, unseen = cards(line, "unseen");
    if (says(line, "collects", "pile") && number(line, "waiting") != ME)
        masters = 0; /* a trick by itself picks nothing up: keep them for the second in a row */
    if (masters & trumps && unseen & trumps)
        return masters & trumps; /* draw what could ruff */
    if (masters & ~trumps && !is_uncut(line)) /* else it would rather be void, and cut */
        return masters & ~trumps;
    Cards low = either(legal & ~trumps, legal), shortest = low;
    for (int s = 0; s < 4; s++)
        if (low & lane(s) && count(hand & lane(s)) < count(hand & shortest))
            shortest = low & lane(s);
    return extreme(shortest, hand, 0);
}

/* The card that it would add to a trick. */
static Cards follow(const char *line, Cards legal, Cards hand, Cards trumps)
{
    int tens_count = says(line, "goal", "tens");
    int led = suit(line, "led"), size = number(line, "trick_size");
    Cards tens = TWOS << TEN, masters = cards(line, "masters");
    Cards winners = cards(line, "winners") & legal;
    Cards waste = either(legal & ~trumps, legal);

    if (!(legal & lane(led)) && is_uncut(line)) { /* this card makes the trump */
        int length;
        return extreme(legal & lane(strongest_suit(legal, &length)), hand, 0);
    }
    if (number(line, "holder") == PARTNER && size == 3 && tens_count && legal & tens & ~trumps)
        return extreme(legal & tens & ~trumps, hand, 0);
    if (tens_count && waste & ~tens)
        waste &= ~tens;
    if (number(line, "holder") == PARTNER)
        return extreme(waste, hand, 0);
    if (size == 1 && legal & lane(led))
        winners &= masters; /* second hand low, unless it is sure */
    if (tens_count && size < 3)
        winners &= ~tens;
    else if (tens_count && winners & tens)
        winners &= tens;
    return extreme(either(winners, waste), hand, 0);
}

static void print_card(Cards card)
{
    int number = 0;
    while (!(card >> number & 1))
        number++;
    printf("%c%c\n", RANKS[number % 13], SUITS[number / 13]);
}

static void decide(const char *line)
{
    Cards legal = cards(line, "legal"), hand = cards(line, "hand");
    int length = 0, strongest = strongest_suit(hand | cards(line, "my_face_down"), &length);
    if (says(line, "phase", "NEW_CARDS")) {
        int is_poor = !(hand & (TWOS << ACE | TWOS << KING)) && length < 5;
        puts(is_poor ? "NEW_CARDS" : "KEEP");
    } else if (!says(line, "phase", "PLAY")) { /* a call, or a card to lay, or a change of it */
        char call[] = {'C', 'A', 'L', 'L', '_', SUITS[strongest], '\0'};
        if (may(line, "PASS") && length < 3)
            puts("PASS");
        else if (may(line, call))
            puts(call);
        else if (says(line, "phase", "CHANGE_TRUMP"))
            puts("KEEP");
        else if (legal)
            print_card(extreme(either(legal & lane(strongest), legal), hand, 0));
        else
            puts(may(line, "PASS") ? "PASS" : "TIMEOUT");
    } else {
        int is_leading = suit(line, "led") < 0;
        int trump = suit(line, "trump");
        Cards down = cards(line, "my_face_down"), trumps = lane(trump);
        for (int s = 0; s < 4 && trump < 0; s++)
            if (down & lane(s))
                trumps = lane(s); /* it knows, though the others do not */
        int asks = !is_leading && number(line, "holder") != PARTNER;
        if (may(line, "REVEAL") && (asks || !legal))
            puts("REVEAL");
        else if (is_leading)
            print_card(extreme(lead(line, legal, hand, trumps), hand, 1));
        else
            print_card(follow(line, legal, hand, trumps));
    }
}

int main(void)
{
    static char line[1 << 16];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    if (strncmp(line, "{\"protocol\":1,", 14)) {
        fprintf(stderr, "this program speaks protocol 1, and was told: %s", line);
        return 1;
    }
    puts("rung 1 a plain player in C");
    fflush(stdout); /* after every line: else it stays in a buffer, and the arena waits */
    while (fgets(line, sizeof line, stdin)) {
        decide(line);
        fflush(stdout);
    }
    return 0;
}
