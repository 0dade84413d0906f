'use strict';
// The wire and the view: one gRPC stream to the harness, and what the seat knows, made of each request's snapshot.

const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

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
 * The view of a request: what stands since the start of the match, and the snapshot beside the request.
 * @param {any} started MatchStarted
 * @param {any} update Update
 * @param {string[]} notes
 * @returns {View}
 */
function viewOf(started, { request, observation }, notes) {
  const lowest = started.game === 'guillotine' ? SEVEN : SIX;
  const unseen = new Set(Array.from({ length: 52 }, (_, card) => card).filter((card) => rankOf(card) >= lowest));
  const see = (/** @type {number[]} */ cards) => cards.forEach((card) => unseen.delete(card));
  /** @type {{seat: number, card: number}[]} */
  let table = [];
  /** @type {number | null} */
  let contract = null;
  /** @type {number | null} */
  let trumps = null;
  let [dealIndex, dealer] = [0, 0];
  for (const happened of observation.events) {
    const event = happened[happened.event];
    if (happened.event === 'dealt') {
      [table, contract, dealIndex, dealer] = [[], null, event.deal_index, event.dealer_seat];
      trumps = event.upcards.length ? suitOf(event.upcards[0]) : null;
      see([...event.hand, ...event.upcards]);
    } else if (happened.event === 'acted') {
      if (CONTRACTS.includes(event.action)) contract = event.action;
      table.push(...actionCards(event.action).map((card) => ({ seat: event.seat, card })));
      see(actionCards(event.action));
    } else if (['taken', 'picked_up', 'cleared'].includes(happened.event)) {
      table = [];
    } else if (['drew', 'shown'].includes(happened.event)) {
      see(event.cards);
    }
  }
  const isTrick = started.game === 'guillotine' && contract !== null && contract !== DOMINO;
  return {
    game: started.game,
    options: Object.fromEntries(started.options.map((/** @type {any} */ option) => [option.name, option.value])),
    seat: started.seat,
    seatCount: started.seat_count,
    dealIndex,
    dealer,
    hand: observation.hand,
    handCounts: observation.hand_counts,
    table,
    points: observation.points,
    contract,
    led: isTrick && table.length ? suitOf(table[0].card) : null,
    trumps,
    stockCount: observation.stock_count,
    pot: observation.pot,
    unseen: [...unseen],
    clockS: request.clock ? Number(request.clock.seconds) + request.clock.nanos / 1e9 : null,
    actions: request.legal_actions,
    note: (text) => notes.push(text),
  };
}

/**
 * Answers the requests of one batch, in parts where that takes long.
 * @param {any} call
 * @param {any} batch UpdateBatch
 * @param {Map<string, any>} matches MatchStarted of each match under way
 * @param {Choose} choose
 */
async function answer(call, batch, matches, choose) {
  for (const started of batch.started) matches.set(started.match_id, started); // had it already: from the start
  let [decisions, sentMs] = [/** @type {any[]} */ ([]), performance.now()];
  const send = () => decisions.length && call.write({ decisions: { decisions } });
  for (const update of batch.updates) {
    const started = matches.get(update.match_id);
    if (!started || !update.request) continue;
    const notes = /** @type {string[]} */ ([]);
    const action = choose(viewOf(started, update, notes));
    const { decision_id } = update.request;
    decisions.push({ match_id: update.match_id, decision_id, action, note: notes.join(' ') });
    if (performance.now() - sentMs > 10) {
      send();
      await new Promise((resolve) => setImmediate(resolve)); // lets it out
      [decisions, sentMs] = [[], performance.now()];
    }
  }
  send();
  for (const over of batch.over) matches.delete(over.match_id);
}

/**
 * Plays with `choose` until the harness says goodbye.
 * @param {Choose} choose
 * @param {string[]} games
 */
async function run(choose, games = ['guillotine', 'zhiletka']) {
  const options = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true };
  const definition = loader.loadSync(path.join(__dirname, 'arena.proto'), options);
  const arena = /** @type {any} */ (grpc.loadPackageDefinition(definition)).cardarena.v1;
  const client = new arena.ArenaService(process.env.CARDARENA_ADDRESS, grpc.credentials.createInsecure());
  const metadata = new grpc.Metadata();
  metadata.set('authorization', `Bearer ${process.env.CARDARENA_TOKEN}`);
  const call = client.Play(metadata);
  call.write({ hello: { games, max_match_count: 256, observation_mode: 'OBSERVATION_MODE_SNAPSHOT' } });
  const matches = new Map();
  try {
    for await (const message of call) {
      if (message.message === 'updates') await answer(call, message.updates, matches, choose);
      if (message.message === 'ping') call.write({ pong: { nonce: message.ping.nonce } });
      if (message.message === 'fault') {
        console.error(`fault: ${message.fault.kind}: ${message.fault.detail}`);
        if (message.fault._match_id) matches.delete(message.fault.match_id);
      }
      if (message.message === 'goodbye') break;
    }
    call.end();
    client.close();
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

module.exports = {
  CLUBS, DIAMONDS, HEARTS, SPADES, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE,
  CONTRACTS, ROYALTY, QUEENS, SPADES_CONTRACT, PARLIAMENT, GUILLOTINE, DOMINO, PASS, END, TAKE,
  actionCards, cardName, cardOf, rankOf, run, suitOf,
};
