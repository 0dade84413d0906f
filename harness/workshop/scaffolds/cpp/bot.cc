// A bot for Guillotine and Zhiletka: simple rules of thumb, a place to begin.

#include <algorithm>

#include "cardarena.h"

using namespace cardarena;

namespace {

const int kKingOfHearts = CardOf(kHearts, kKing);
const int kQueenOfSpades = CardOf(kSpades, kQueen);

using Worth = std::pair<int, int>;

// The one of `actions` with the greatest worth, the first of equals.
template <typename Function>
int Best(const std::vector<int>& actions, Function worth) {
  return *std::max_element(actions.begin(), actions.end(), [&](int a, int b) { return worth(a) < worth(b); });
}

Worth Low(int card) { return {-RankOf(card), 0}; }
Worth High(int card) { return {RankOf(card), 0}; }

// Guillotine: 24 deals, low score wins ---------------------------------------------------------------

// High cards for Parliament, where tricks are wanted; low cards for Guillotine, where they cost most.
int Announce(View& view) {
  int sum = 0;
  for (int card : view.hand) sum += RankOf(card);
  const bool is_high = sum > 9 * static_cast<int>(view.hand.size());
  const std::vector<int> high = {kParliament, kDomino, kRoyalty, kQueens, kSpadesContract, kGuillotine};
  const std::vector<int> order = is_high ? high : std::vector<int>(high.rbegin(), high.rend());
  view.note = is_high ? "high cards" : "low cards";  // you find it beside the decision in `cardarena replay --times`
  return *std::find_if(order.begin(), order.end(), [&](int contract) { return Contains(view.actions, contract); });
}

// Points for whoever takes `card`.
int Cost(const View& view, int card) {
  const int queen = RankOf(card) == kQueen ? 10 : 0;
  const int spade = SuitOf(card) == kSpades ? 5 : 0;
  const int king = card == kKingOfHearts;
  if (view.contract == kRoyalty) return 20 * king + (card == kQueenOfSpades ? 10 : 0);
  if (view.contract == kGuillotine) return 10 * king + queen + spade;
  return -10 * king + (view.contract == kQueens ? queen : view.contract == kSpadesContract ? spade : 0);
}

// Stays under a trick that costs points, takes one that brings some.
int TrickCard(const View& view) {
  const bool wants_tricks = view.contract == kParliament;
  auto dear = [&](int card) { return Worth{Cost(view, card), wants_tricks ? -RankOf(card) : RankOf(card)}; };
  if (!view.led) return Best(view.actions, wants_tricks ? High : Low);
  if (SuitOf(view.actions[0]) != *view.led) return Best(view.actions, dear);  // void: throw what costs most
  int top = -1, worth = 0;
  for (const Play& play : view.table) {
    if (SuitOf(play.card) == *view.led) top = std::max(top, RankOf(play.card));
    worth += Cost(view, play.card);
  }
  std::vector<int> over, under;
  for (int card : view.actions) (RankOf(card) > top ? over : under).push_back(card);
  if (!over.empty() && (wants_tricks || worth < 0)) return Best(over, High);
  if (under.empty()) return Best(over, Low);
  return wants_tricks ? Best(under, Low) : Best(under, dear);
}

// How many cards of the hand wait behind this one.
Worth Waiting(const View& view, int action) {
  if (action == kEnd) return {-1, 0};
  auto is_of_suit = [&](int card) { return SuitOf(card) == SuitOf(action); };
  return {static_cast<int>(std::count_if(view.hand.begin(), view.hand.end(), is_of_suit)), 0};
}

// Zhiletka: hold three cards of one suit or of one rank, or be the last who is in ----------------------

// Takes only where it must; keeps cards that are alike; gives the cheapest away.
Worth Keeping(const View& view, int action) {
  if (action == kTake) return {-1, 0};
  const std::vector<int> spent = ActionCards(action);
  int alike = 0, price = 0;
  for (int a : view.hand)
    for (int b : view.hand)
      if (a < b && !Contains(spent, a) && !Contains(spent, b))
        alike += SuitOf(a) == SuitOf(b) || RankOf(a) == RankOf(b);
  for (int card : spent) price += RankOf(card) + (SuitOf(card) == view.trumps ? 13 : 0);
  return {alike, -price};
}

// Called whenever there are at least two legal actions: returns one of `view.actions`.
int Choose(View& view) {
  if (view.game == "zhiletka") return Best(view.actions, [&](int action) { return Keeping(view, action); });
  if (IsContract(view.actions[0])) return Announce(view);
  if (view.contract == kDomino) return Best(view.actions, [&](int action) { return Waiting(view, action); });
  return TrickCard(view);
}

}  // namespace

int main() { return Run(Choose); }
