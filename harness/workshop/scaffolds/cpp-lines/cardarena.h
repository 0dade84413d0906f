// The conversation and the view: a line of JSON in, an action out. What goes to stderr (std::cerr) is the log.

#pragma once

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

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

// What stands behind `"name":` in a line of the harness, which writes no spaces; empty where it is not there.
inline std::string Member(const std::string& line, const std::string& name) {
  const std::string mark = "\"" + name + "\":";
  const size_t at = line.find(mark);
  if (at == std::string::npos) return "";
  size_t end = at + mark.size();
  for (int depth = 0; end < line.size(); end++) {  // texts of the harness hold no brackets, commas or quotes
    const char c = line[end];
    if (depth == 0 && (c == ',' || c == '}')) break;
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
  }
  return line.substr(at + mark.size(), end - at - mark.size());
}

// The text between quotes; empty for null.
inline std::string Text(const std::string& value) {
  return value.size() > 1 && value[0] == '"' ? value.substr(1, value.size() - 2) : "";
}

// The numbers of a list, and the cards of a list of texts as numbers.
inline std::vector<int> Numbers(const std::string& value) {
  const std::string ranks = "23456789TJQKA", suits = "CDHS";
  std::vector<int> found;
  for (size_t at = 0; at < value.size(); at++) {
    if (value[at] == '"') {
      found.push_back(CardOf(suits.find(value[at + 2]), ranks.find(value[at + 1])));
      at += 3;
    } else if (value[at] == '-' || isdigit(value[at])) {
      size_t length = 0;
      found.push_back(std::stoi(value.substr(at), &length));
      at += length - 1;
    }
  }
  return found;
}

// The view of an ask, which carries all that the seat knows; docs/lines.md of cardarena tells its members.
inline View ViewOf(const std::string& line) {
  static const std::vector<std::string> contracts = {"royalty",    "queens",     "spades",
                                                     "parliament", "guillotine", "domino"};
  auto number = [&](const char* name) { return std::stoi(Member(line, name)); };
  auto suit = [&](const char* name) -> std::optional<int> {
    const std::string text = Text(Member(line, name));
    if (text.empty()) return std::nullopt;
    return std::string("CDHS").find(text);
  };
  View view;
  view.game = Text(Member(line, "game"));
  view.seat = number("seat");
  view.seat_count = number("seat_count");
  view.deal_index = number("deal_index");
  view.dealer = number("dealer");
  view.hand = Numbers(Member(line, "hand"));
  view.hand_counts = Numbers(Member(line, "hand_counts"));
  const std::vector<int> table = Numbers(Member(line, "table"));  // seat, card; and so on
  for (size_t at = 0; at + 1 < table.size(); at += 2) view.table.push_back({table[at], table[at + 1]});
  view.points = Numbers(Member(line, "points"));
  if (const std::string contract = Text(Member(line, "contract")); !contract.empty())
    for (size_t at = 0; at < contracts.size(); at++)
      if (contract == "contract:" + contracts[at]) view.contract = kRoyalty + static_cast<int>(at);
  view.led = suit("led");
  view.trumps = suit("trumps");
  view.stock_count = number("stock_count");
  view.pot = number("pot");
  view.unseen = Numbers(Member(line, "unseen"));
  if (const std::string clock = Member(line, "clock_s"); clock != "null") view.clock_s = std::stod(clock);
  view.actions = Numbers(Member(line, "actions"));
  return view;
}

// Plays with `choose` until stdin ends. Returns what `main` returns.
inline int Run(const std::function<int(View&)>& choose) {
  for (std::string line; std::getline(std::cin, line);) {
    const std::string type = Text(Member(line, "type"));
    if (type == "fault") std::cerr << line << std::endl;
    if (type != "ask") continue;  // `hello`, `start`, `over`, and what later versions add
    View view = ViewOf(line);
    const int action = choose(view);
    std::cout << action << (view.note.empty() ? "" : " # " + view.note) << std::endl;  // endl: it must not wait
  }
  return 0;
}

}  // namespace cardarena
