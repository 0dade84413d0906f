'use strict';
// The conversation and the view: a line of JSON in, an action out. What goes to stderr (console.error) is the log.

const readline = require('node:readline');

// Cards and actions are numbers: suit * 13 + rank for a card, a + 64 * (b + 1) for cards a and b together.
const [CLUBS, DIAMONDS, HEARTS, SPADES] = [0, 1, 2, 3];
const [SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE] = [4, 5, 6, 7, 8, 9, 10, 11, 12];
const [ROYALTY, QUEENS, SPADES_CONTRACT, PARLIAMENT, GUILLOTINE, DOMINO] = [52, 53, 54, 55, 56, 57];
const [PASS, END, TAKE] = [58, 59, 60];
const CONTRACTS = [ROYALTY, QUEENS, SPADES_CONTRACT, PARLIAMENT, GUILLOTINE, DOMINO];
const cardOf = (/** @type {number} */ suit, /** @type {number} */ rank) => suit * 13 + rank;
const suitOf = (/** @type {number} */ card) => Math.floor(card / 13);
const rankOf = (/** @type {number} */ card) => card % 13;
const cardName = (/** @type {number} */ card) => '23456789TJQKA'[rankOf(card)] + 'CDHS'[suitOf(card)];

/**
 * Cards that an action puts on the table.
 * @param {number} action
 * @returns {number[]}
 */
const actionCards = (action) => (action < 52 ? [action] : action < 64 ? [] : [action % 64, (action >> 6) - 1]);

/**
 * What the seat knows when it is asked.
 * @typedef {object} View
 * @property {string} game `guillotine` or `zhiletka`
 * @property {Record<string, string>} options rule options that differ from the defaults
 * @property {number} seat its own, from 0
 * @property {number} seatCount
 * @property {number} dealIndex number of the deal, from 0
 * @property {number} dealer
 * @property {number[]} hand its cards, ascending
 * @property {number[]} handCounts how many each seat holds
 * @property {{seat: number, card: number}[]} table the trick under way, the domino layout, the attack to beat
 * @property {number[]} points so far, by seat
 * @property {number | null} contract Guillotine: of this deal
 * @property {number | null} led Guillotine: the suit led; null when it leads
 * @property {number | null} trumps Zhiletka: a suit
 * @property {number} stockCount cards left to draw
 * @property {number} pot chips
 * @property {number[]} unseen cards of the pack that it has not seen in this deal
 * @property {number | null} clockS thinking time left for the match, in seconds
 * @property {number[]} actions the legal ones, ascending
 * @property {(text: string) => void} note keeps a text beside the decision, for its author
 */

/** @typedef {(view: View) => number} Choose */

/**
 * Cards that texts name: `QS` is 49.
 * @param {string[]} names
 */
const parse = (names) => names.map((name) => cardOf('CDHS'.indexOf(name[1]), '23456789TJQKA'.indexOf(name[0])));

/**
 * The view of an ask, which carries all that the seat knows; docs/lines.md of cardarena tells its members.
 * @param {any} told
 * @param {string[]} notes
 * @returns {View}
 */
function viewOf(told, notes) {
  const names = ['royalty', 'queens', 'spades', 'parliament', 'guillotine', 'domino'];
  return {
    game: told.game,
    options: told.options,
    seat: told.seat,
    seatCount: told.seat_count,
    dealIndex: told.deal_index,
    dealer: told.dealer,
    hand: parse(told.hand),
    handCounts: told.hand_counts,
    table: told.table.map((/** @type {[number, string]} */ [seat, name]) => ({ seat, card: parse([name])[0] })),
    points: told.points,
    contract: told.contract === null ? null : CONTRACTS[names.indexOf(told.contract.replace('contract:', ''))],
    led: told.led === null ? null : 'CDHS'.indexOf(told.led),
    trumps: told.trumps === null ? null : 'CDHS'.indexOf(told.trumps),
    stockCount: told.stock_count,
    pot: told.pot,
    unseen: parse(told.unseen),
    clockS: told.clock_s,
    actions: told.actions,
    note: (text) => notes.push(text),
  };
}

/**
 * Plays with `choose` until stdin ends.
 * @param {Choose} choose
 */
function run(choose) {
  readline.createInterface({ input: process.stdin }).on('line', (line) => {
    const told = JSON.parse(line);
    if (told.type === 'fault') console.error(`fault: ${told.kind}: ${told.detail}`);
    if (told.type !== 'ask') return; // `hello`, `start`, `over`, and what later versions add
    const notes = /** @type {string[]} */ ([]);
    const action = choose(viewOf(told, notes));
    process.stdout.write(`${action}${notes.length ? ` # ${notes.join(' ')}` : ''}\n`);
  });
}

module.exports = {
  CLUBS, DIAMONDS, HEARTS, SPADES, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE,
  CONTRACTS, ROYALTY, QUEENS, SPADES_CONTRACT, PARLIAMENT, GUILLOTINE, DOMINO, PASS, END, TAKE,
  actionCards, cardName, cardOf, rankOf, run, suitOf,
};
