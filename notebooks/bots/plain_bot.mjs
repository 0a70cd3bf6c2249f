// A player for all the games of Court Piece, in JavaScript and nothing else. It speaks the protocol
// of agents/PROTOCOL.md: a line of JSON comes in, the name of an action goes out.
//
//     rung arena single_sar "process:node notebooks/bots/plain_bot.mjs" greedy
//
// Every legal card is given a worth, in tricks or thereabouts, and the best is played. Cards that
// are worth the same are chosen between by the request's seed, so that equal seeds give equal games.

import { createInterface } from "node:readline";

const SUITS = "CDHS";
const RANKS = "23456789TJQKA";
const ME = 0;
const NEXT = 1;
const PARTNER = 2;
const PREVIOUS = 3;

const rank = (card) => RANKS.indexOf(card[0]);
const suit = (card) => card[1];
const ofSuit = (cards, wanted) => cards.filter((card) => suit(card) === wanted);

// How good a trump each suit would be: its length first, then its honours.
function strongestSuit(cards) {
  const strength = (s) =>
    ofSuit(cards, s).reduce((sum, card) => sum + 16 + Math.max(0, rank(card) - 8) ** 2 / 2, 0);
  return [...SUITS].reduce((best, s) => (strength(s) > strength(best) ? s : best));
}

// What a suit's cards are worth to their holder when the trick goes to somebody else.
function keeping(card, request) {
  const tens = request.rules.goal === "tens" && card[0] === "T" ? 4 : 0;
  const master = request.masters.includes(card) ? 0.6 : 0;
  const trump = suit(card) === trumpOf(request) ? 1.2 : 0;
  return rank(card) / 12 + trump + master + tens;
}

function trumpOf(request) {
  return request.trump ?? (request.my_face_down ? suit(request.my_face_down) : null);
}

// Whether nobody still to play can take the trick from a card, as far as can be told.
function isSure(card, request) {
  const { trick_size: size } = request;
  if (size === 3) return true;
  const trump = trumpOf(request);
  const led = request.led ?? suit(card);
  const opponents = size === 0 ? [NEXT, PREVIOUS] : [NEXT];
  const higher = ofSuit(request.unseen, suit(card)).some((other) => rank(other) > rank(card));
  const ruffs =
    suit(card) !== trump &&
    ofSuit(request.unseen, trump).length > 0 &&
    opponents.some((seat) => request.voids[seat].includes(led));
  return !higher && !ruffs;
}

function worthOfLead(card, request) {
  const { rules, waiting, hand } = request;
  const trump = trumpOf(request);
  const length = ofSuit(hand, suit(card)).length;
  if (rules.trump === "cut" && request.trump === null) return -length - rank(card) / 12;
  const seals = rules.collects !== "pile" || waiting === ME;
  if (isSure(card, request) && seals) {
    const draws = suit(card) === trump && ofSuit(request.unseen, trump).length > 0;
    return draws ? 2 : suit(card) === trump ? 0 : 1.5;
  }
  return -keeping(card, request) - length / 20;
}

function worthOfFollowing(card, request) {
  const { rules, holder, winners, trick_size: size, hand, led } = request;
  const counts = rules.goal === "tens" && card[0] === "T";
  if (rules.trump === "cut" && request.trump === null && ofSuit(hand, led).length === 0) {
    return ofSuit(hand, suit(card)).length - rank(card) / 12; // this card makes the trump
  }
  if (holder === PARTNER) {
    const safe = size === 3 || isSure(request.trick[PARTNER], request);
    return counts && safe ? 3 : -keeping(card, request);
  }
  if (winners.includes(card)) {
    const sure = isSure(card, request);
    if (counts) return sure ? 3 : -keeping(card, request);
    const chance = sure ? 1 : size === 1 && suit(card) === led ? 0.1 : 0.6;
    return 2 * chance - keeping(card, request) / 2;
  }
  return -keeping(card, request);
}

function decide(request) {
  const { legal, phase, hand, led, holder, rules } = request;
  const cards = legal.filter((action) => action.length === 2);
  const seen = request.my_face_down ? [...hand, request.my_face_down] : hand;
  const strongest = strongestSuit(seen);

  if (phase === "NEW_CARDS") {
    const honours = hand.reduce((sum, card) => sum + Math.max(0, rank(card) - 8), 0);
    return honours < 5 ? "NEW_CARDS" : "KEEP";
  }
  if (phase !== "PLAY") {
    const isShort = ofSuit(hand, strongest).length < 3;
    if (isShort && legal.includes("PASS")) return "PASS";
    if (legal.includes(`CALL_${strongest}`)) return `CALL_${strongest}`;
    if (phase === "CHANGE_TRUMP" && (rules.trump === "called" || trumpOf(request) === strongest)) {
      return "KEEP";
    }
    return ofSuit(cards, strongest)[0] ?? legal.at(-1); // legal goes from low to high
  }
  const asks = led !== null && holder !== PARTNER;
  if (legal.includes("REVEAL") && (asks || cards.length === 0)) return "REVEAL";

  const worth = led === null ? worthOfLead : worthOfFollowing;
  const worths = cards.map((card) => worth(card, request));
  const best = cards.filter((_, i) => worths[i] === Math.max(...worths));
  return best[request.seed % best.length];
}

let isGreeted = false;
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (isGreeted) {
    process.stdout.write(`${decide(request)}\n`);
  } else if (request.protocol === 1) {
    process.stdout.write("rung 1 a plain player in JavaScript\n");
    isGreeted = true;
  } else {
    console.error(`this program speaks protocol 1, and was told: ${line}`);
    process.exit(1);
  }
}
