// The wire and the view: one gRPC stream to the harness, and what the seat knows, made of each request's snapshot.

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <grpcpp/grpcpp.h>

#include "arena.grpc.pb.h"

namespace cardarena {

// Cards and actions are numbers: suit * 13 + rank for a card, a + 64 * (b + 1) for cards a and b together.
enum Suit { kClubs, kDiamonds, kHearts, kSpades };
enum Rank { kTwo, kThree, kFour, kFive, kSix, kSeven, kEight, kNine, kTen, kJack, kQueen, kKing, kAce };
enum Action { kRoyalty = 52, kQueens, kSpadesContract, kParliament, kGuillotine, kDomino, kPass, kEnd, kTake };

inline int CardOf(int suit, int rank) { return suit * 13 + rank; }
inline int SuitOf(int card) { return card / 13; }
inline int RankOf(int card) { return card % 13; }
inline bool IsContract(int action) { return action >= kRoyalty && action <= kDomino; }
inline std::string CardName(int card) { return {"23456789TJQKA"[RankOf(card)], "CDHS"[SuitOf(card)]}; }

inline bool Contains(const std::vector<int>& numbers, int number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// Cards that an action puts on the table.
inline std::vector<int> ActionCards(int action) {
  if (action < 52) return {action};
  if (action < 64) return {};
  return {action & 63, (action >> 6) - 1};
}

// Who laid which card.
struct Play {
  int seat;
  int card;
};

// What the seat knows when it is asked. "By seat": one entry for each seat, from seat 0.
struct View {
  std::string game;                // guillotine or zhiletka
  int seat = 0;                    // its own, from 0
  int seat_count = 0;
  int deal_index = 0;              // number of the deal, from 0
  int dealer = 0;
  std::vector<int> hand;           // its cards, ascending
  std::vector<int> hand_counts;    // by seat
  std::vector<Play> table;         // the trick under way, the domino layout, the attack to beat
  std::vector<int> points;         // so far, by seat
  std::optional<int> contract;     // Guillotine: of this deal
  std::optional<int> led;          // Guillotine: the suit led; none when it leads
  std::optional<int> trumps;       // Zhiletka: a suit
  int stock_count = 0;             // cards left to draw
  int pot = 0;                     // chips
  std::vector<int> unseen;         // cards of the pack that it has not seen in this deal
  std::optional<double> clock_s;   // thinking time left for the match
  std::vector<int> actions;        // the legal ones, ascending
  std::string note;                // to be set: a text kept beside the decision, for its author
};

namespace wire = ::cardarena::v1;

// The view of a request: what stands since the start of the match, and the snapshot beside the request.
inline View ViewOf(const wire::MatchStarted& started, const wire::Update& update) {
  const wire::Observation& seen = update.observation();
  const wire::DecisionRequest& request = update.request();
  View view;
  view.game = started.game();
  view.seat = started.seat();
  view.seat_count = started.seat_count();
  view.hand.assign(seen.hand().begin(), seen.hand().end());
  view.hand_counts.assign(seen.hand_counts().begin(), seen.hand_counts().end());
  view.points.assign(seen.points().begin(), seen.points().end());
  view.stock_count = seen.stock_count();
  view.pot = seen.pot();
  view.actions.assign(request.legal_actions().begin(), request.legal_actions().end());
  if (request.has_clock()) view.clock_s = request.clock().seconds() + request.clock().nanos() / 1e9;
  std::set<int> known;
  for (const wire::Event& event : seen.events()) {
    if (event.has_dealt()) {
      const wire::Dealt& dealt = event.dealt();
      view.deal_index = dealt.deal_index();
      view.dealer = dealt.dealer_seat();
      known.insert(dealt.hand().begin(), dealt.hand().end());
      known.insert(dealt.upcards().begin(), dealt.upcards().end());
      if (dealt.upcards_size()) view.trumps = SuitOf(dealt.upcards(0));
    } else if (event.has_acted()) {
      const int action = event.acted().action();
      if (IsContract(action)) view.contract = action;
      for (int card : ActionCards(action)) {
        view.table.push_back({event.acted().seat(), card});
        known.insert(card);
      }
    } else if (event.has_taken() || event.has_picked_up() || event.has_cleared()) {
      view.table.clear();
    } else if (event.has_drew()) {
      known.insert(event.drew().cards().begin(), event.drew().cards().end());
    } else if (event.has_shown()) {
      known.insert(event.shown().cards().begin(), event.shown().cards().end());
    }
  }
  const bool is_guillotine = view.game == "guillotine";
  if (is_guillotine && view.contract && view.contract != kDomino && !view.table.empty())
    view.led = SuitOf(view.table[0].card);
  for (int card = 0; card < 52; card++)
    if (RankOf(card) >= (is_guillotine ? kSeven : kSix) && !known.count(card)) view.unseen.push_back(card);
  return view;
}

// Plays with `choose` until the harness says goodbye. Returns what `main` returns.
inline int Run(const std::function<int(View&)>& choose,
               const std::vector<std::string>& games = {"guillotine", "zhiletka"}) {
  using Clock = std::chrono::steady_clock;
  const char* address = std::getenv("CARDARENA_ADDRESS");
  const char* token = std::getenv("CARDARENA_TOKEN");
  if (!address || !token) {
    std::cerr << "CARDARENA_ADDRESS is not set: the harness starts a bot and sets it\n";
    return 1;
  }
  auto stub = wire::ArenaService::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.AddMetadata("authorization", std::string("Bearer ") + token);
  auto stream = stub->Play(&context);
  wire::PlayRequest hello;
  for (const std::string& game : games) hello.mutable_hello()->add_games(game);
  hello.mutable_hello()->set_max_match_count(256);
  hello.mutable_hello()->set_observation_mode(wire::OBSERVATION_MODE_SNAPSHOT);
  stream->Write(hello);
  std::map<int64_t, wire::MatchStarted> matches;
  wire::PlayResponse message;
  while (stream->Read(&message) && !message.has_goodbye()) {
    if (message.has_ping()) {
      wire::PlayRequest pong;
      pong.mutable_pong()->set_nonce(message.ping().nonce());
      stream->Write(pong);
    }
    if (message.has_fault()) {
      std::cerr << "fault: " << message.fault().detail() << std::endl;
      if (message.fault().has_match_id()) matches.erase(message.fault().match_id());
    }
    for (const auto& started : message.updates().started())
      matches[started.match_id()] = started;  // had it already: from the start, forget the rest
    wire::PlayRequest answers;
    auto sent = Clock::now();
    for (const wire::Update& update : message.updates().updates()) {
      auto match = matches.find(update.match_id());
      if (!update.has_request() || match == matches.end()) continue;
      View view = ViewOf(match->second, update);
      wire::Decision& decision = *answers.mutable_decisions()->add_decisions();
      decision.set_match_id(update.match_id());
      decision.set_decision_id(update.request().decision_id());
      decision.set_action(choose(view));
      decision.set_note(view.note);
      if (Clock::now() - sent > std::chrono::milliseconds(10)) {  // a batch that takes long is answered in parts
        stream->Write(answers);
        answers.Clear();
        sent = Clock::now();
      }
    }
    if (answers.has_decisions()) stream->Write(answers);
    for (const auto& over : message.updates().over()) matches.erase(over.match_id());
  }
  stream->WritesDone();
  const grpc::Status status = stream->Finish();
  if (!status.ok()) std::cerr << address << ": " << status.error_message() << std::endl;
  return status.ok() ? 0 : 1;
}

}  // namespace cardarena
