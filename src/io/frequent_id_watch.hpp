// A sink that notes when one id takes part in more than a tenth of all edges: the id may stand for a missing value, and would then join
// unrelated vertices into one component. It counts a sample: all of the first edges, then ever fewer of the later ones, each weighted by
// the number of edges that it stands for.
#pragma once
#include <copse/io.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace copse::io {

/// Approximate counts of frequent ids for one worker, with the algorithm of Misra and Gries (1982): with k counters, each count falls short
/// by at most 1/(k + 1) of all that was counted. `Key` stores an id: std::uint64_t or std::string.
template <class Key>
class frequent_ids {
public:
  struct counter {
    Key id;
    std::uint64_t count = 0;
  };

  /// Counts an id that is an endpoint of `weight` edges.
  template <class Id>
  void count(const Id& id, std::uint64_t weight) {
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      if (counters_[i].id != id) continue;
      counters_[i].count += weight;
      // so that frequent ids are found first
      if (i > 0 && counters_[i - 1].count < counters_[i].count) std::swap(counters_[i - 1], counters_[i]);
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

/// A sink that passes everything on to the sink `behind`, and gives the observer a note if one id takes part in more than a tenth of all
/// edges, which it estimates from a sample.
class frequent_id_watch final : public edge_sink {
public:
  frequent_id_watch(edge_sink& behind, observer* listener, std::string name)
      : behind_{behind}, observer_{listener}, name_{std::move(name)} {}

  void begin(const source_facts& facts) override;
  void begin_block(unsigned worker, std::uint64_t block) override { behind_.begin_block(worker, block); }
  void edges(unsigned worker, const edge_batch& batch) override;
  void vertices(unsigned worker, const vertex_batch& batch) override { behind_.vertices(worker, batch); }
  void ids_are_signed() override {
    signed_.store(true, std::memory_order_relaxed);
    behind_.ids_are_signed();
  }
  void left_out(unsigned worker, std::size_t pending) override { behind_.left_out(worker, pending); }
  void finish() override;

private:
  struct alignas(64) worker_state {
    std::uint64_t edges = 0;
    std::uint64_t samples = 0;
    std::uint64_t skipped = 0;  ///< how many edges to skip before the next sample
    frequent_ids<std::uint64_t> ids;
    frequent_ids<std::string> names;
  };
  template <class Edge, class Key>
  void sample(worker_state& mine, std::span<const Edge> batch, frequent_ids<Key> worker_state::*counts);
  template <class Key>
  void note_frequent(frequent_ids<Key> worker_state::*counts, std::uint64_t first_id);

  edge_sink& behind_;
  observer* observer_;
  std::string name_;
  source_facts facts_;
  std::atomic<bool> signed_{false};
  std::vector<worker_state> workers_;
};

}  // namespace copse::io
