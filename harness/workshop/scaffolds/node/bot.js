'use strict';
// A bot for Guillotine and Zhiletka: simple rules of thumb, a place to begin.

const {
  CONTRACTS, DOMINO, END, GUILLOTINE, KING, HEARTS, PARLIAMENT, QUEEN, QUEENS, ROYALTY, SPADES, SPADES_CONTRACT, TAKE,
  actionCards, cardOf, rankOf, run, suitOf,
} = require('./cardarena.js');

/** @typedef {import('./cardarena.js').View} View */

const KING_OF_HEARTS = cardOf(HEARTS, KING);
const QUEEN_OF_SPADES = cardOf(SPADES, QUEEN);

/**
 * Called whenever there are at least two legal actions: returns one of `view.actions`.
 * @param {View} view
 * @returns {number}
 */
function choose(view) {
  if (view.game === 'zhiletka') return best(view.actions, (action) => keeping(view, action));
  if (CONTRACTS.includes(view.actions[0])) return announce(view);
  if (view.contract === DOMINO) return best(view.actions, (action) => [waiting(view, action)]);
  return trickCard(view);
}

/**
 * The action with the greatest worth; worths are lists, compared from the left.
 * @param {number[]} actions
 * @param {(action: number) => number[]} worth
 */
function best(actions, worth) {
  const isLess = (/** @type {number[]} */ a, /** @type {number[]} */ b) => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at >= 0 && a[at] < b[at];
  };
  return actions.reduce((one, other) => (isLess(worth(one), worth(other)) ? other : one));
}

// Guillotine: 24 deals, low score wins ---------------------------------------------------------------

/** @param {View} view */
function announce(view) { // high cards for Parliament, where tricks are wanted; low cards for Guillotine
  const height = view.hand.reduce((sum, card) => sum + rankOf(card), 0) / view.hand.length;
  const order = [DOMINO, ROYALTY, QUEENS, SPADES_CONTRACT];
  const wanted = height > 9 ? [PARLIAMENT, ...order, GUILLOTINE] : [GUILLOTINE, ...order.reverse(), PARLIAMENT];
  view.note(`mean rank ${height.toFixed(1)}`); // you find it beside the decision in `cardarena replay --times`
  return /** @type {number} */ (wanted.find((contract) => view.actions.includes(contract)));
}

/**
 * Points for whoever takes `card`.
 * @param {View} view
 * @param {number} card
 */
function cost(view, card) {
  const queen = rankOf(card) === QUEEN ? 10 : 0;
  const spade = suitOf(card) === SPADES ? 5 : 0;
  const king = card === KING_OF_HEARTS ? 1 : 0;
  if (view.contract === ROYALTY) return 20 * king + (card === QUEEN_OF_SPADES ? 10 : 0);
  if (view.contract === GUILLOTINE) return 10 * king + queen + spade;
  return -10 * king + (view.contract === QUEENS ? queen : view.contract === SPADES_CONTRACT ? spade : 0);
}

/** @param {View} view */
function trickCard(view) { // stays under a trick that costs points, takes one that brings some
  const wantsTricks = view.contract === PARLIAMENT;
  const low = (/** @type {number} */ card) => [-rankOf(card)];
  const high = (/** @type {number} */ card) => [rankOf(card)];
  const dear = (/** @type {number} */ card) => [cost(view, card), wantsTricks ? -rankOf(card) : rankOf(card)];
  if (view.led === null) return best(view.actions, wantsTricks ? high : low);
  if (suitOf(view.actions[0]) !== view.led) return best(view.actions, dear); // void: throw what costs most
  const top = Math.max(...view.table.filter(({ card }) => suitOf(card) === view.led).map(({ card }) => rankOf(card)));
  const over = view.actions.filter((card) => rankOf(card) > top);
  const under = view.actions.filter((card) => rankOf(card) < top);
  const worth = view.table.reduce((sum, { card }) => sum + cost(view, card), 0);
  if (over.length && (wantsTricks || worth < 0)) return best(over, high);
  if (!under.length) return best(over, low);
  return best(under, wantsTricks ? low : dear);
}

/**
 * How many cards of the hand wait behind this one.
 * @param {View} view
 * @param {number} action
 */
function waiting(view, action) {
  return action === END ? -1 : view.hand.filter((card) => suitOf(card) === suitOf(action)).length;
}

// Zhiletka: hold three cards of one suit or of one rank, or be the last who is in ----------------------

/**
 * Takes only where it must; keeps cards that are alike; gives the cheapest away.
 * @param {View} view
 * @param {number} action
 */
function keeping(view, action) {
  if (action === TAKE) return [-1, 0];
  const spent = actionCards(action);
  const left = view.hand.filter((card) => !spent.includes(card));
  const pairs = left.flatMap((a) => left.filter((b) => a < b).map((b) => [a, b]));
  const alike = pairs.filter(([a, b]) => suitOf(a) === suitOf(b) || rankOf(a) === rankOf(b)).length;
  const price = spent.reduce((sum, card) => sum + rankOf(card) + (suitOf(card) === view.trumps ? 13 : 0), 0);
  return [alike, -price];
}

run(choose);
