// Which ids take part in so many edges that they may stand for a missing value. A sample of the edges is counted: all of the first ones,
// then fewer and fewer, each for as many as it stands for. Counters are those of Misra and Gries (1982): with k of them no id is counted
// too short by more than one part in k + 1 of all that was counted.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace copse::io {

/// Counts for one worker. `Key` keeps an id: std::uint64_t or std::string.
template <class Key>
class frequent_ids {
public:
  struct counter {
    Key id;
    std::uint64_t count = 0;
  };

  /// An id that `weight` edges have for an end.
  template <class Id>
  void count(const Id& id, std::uint64_t weight) {
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      if (counters_[i].id != id) continue;
      counters_[i].count += weight;
      if (i > 0 && counters_[i - 1].count < counters_[i].count) std::swap(counters_[i - 1], counters_[i]);  // frequent ones are found first
      return;
    }
    if (counters_.size() < most_counters) {
      counters_.push_back({Key{id}, weight});
      return;
    }
    const auto fewest = [](const counter& a, const counter& b) { return a.count < b.count; };
    const std::uint64_t taken = std::min(weight, std::min_element(counters_.begin(), counters_.end(), fewest)->count);
    for (counter& other : counters_) other.count -= taken;
    std::erase_if(counters_, [](const counter& other) { return other.count == 0; });
    if (weight > taken) counters_.push_back({Key{id}, weight - taken});
  }
  [[nodiscard]] const std::vector<counter>& counters() const noexcept { return counters_; }

private:
  static constexpr std::size_t most_counters = 128;
  std::vector<counter> counters_;
};

}  // namespace copse::io
