// What threads did to a connectivity structure and when, and whether some order of it explains every answer: the definition of
// linearizability (Herlihy and Wing 1990), checked by trying all orders.
#pragma once
#include <copse/operations.hpp>
#include <copse/views.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace copse::test {

/// One call. It took effect at some moment of [begin, end]; none begins at the moment when another ends.
struct event {
  operation kind;
  edge<std::uint32_t> pair;
  bool answer;  ///< of queries
  std::uint64_t begin, end;
};

/// At most 20 events over vertices below 16. A set of events that have taken effect determines the state, so each set is visited once.
class linearizability {
public:
  explicit linearizability(const std::vector<event>& history) : events_{history}, tried_(std::size_t{1} << history.size()) {}

  /// Is there an order that respects what ended before what began, and in which every query answers what the inserts before it joined?
  bool exists() { return extend(0); }

private:
  bool extend(std::uint32_t done) {
    if (done + 1 == tried_.size()) return true;
    if (tried_[done]) return false;
    tried_[done] = true;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if ((done >> i & 1) == 0 && may_be_next(i, done) && explains(i, done) && extend(done | 1u << i)) return true;
    }
    return false;
  }
  /// Did nothing that is still to come end before it began?
  [[nodiscard]] bool may_be_next(std::size_t i, std::uint32_t done) const {
    for (std::size_t j = 0; j < events_.size(); ++j) {
      if (j != i && (done >> j & 1) == 0 && events_[j].end < events_[i].begin) return false;
    }
    return true;
  }
  [[nodiscard]] bool explains(std::size_t i, std::uint32_t done) const {
    if (events_[i].kind == operation::insert) return true;
    std::array<std::uint32_t, 16> label;
    std::iota(label.begin(), label.end(), 0u);
    for (std::size_t j = 0; j < events_.size(); ++j) {
      if ((done >> j & 1) == 0 || events_[j].kind != operation::insert) continue;
      const std::uint32_t from = label[events_[j].pair.u], to = label[events_[j].pair.v];
      for (auto& l : label) l = l == from ? to : l;
    }
    return (label[events_[i].pair.u] == label[events_[i].pair.v]) == events_[i].answer;
  }

  const std::vector<event>& events_;
  std::vector<bool> tried_;
};

inline std::string to_text(const std::vector<event>& history) {
  std::string text;
  for (const event& e : history) {
    std::string line = std::to_string(e.begin);
    line.append(" .. ").append(std::to_string(e.end)).append(e.kind == operation::insert ? ": + " : ": ? ");
    line.append(std::to_string(e.pair.u)).append(" ").append(std::to_string(e.pair.v));
    if (e.kind == operation::query) line.append(e.answer ? " yes" : " no");
    text.append(line).append("\n");
  }
  return text;
}

inline bool is_linearizable(const std::vector<event>& history) { return linearizability{history}.exists(); }

}  // namespace copse::test
