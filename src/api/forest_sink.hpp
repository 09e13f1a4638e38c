// A sink that keeps the weighted forest of the edges that arrived. Edges are collected until there are a few times as many as the forest
// has; then a merge replaces the forest and these edges by the forest of both. So most edges are looked at once or twice, and memory is
// O(vertices).
// The result is that of all edges at once: an edge that is not in the forest of some edges is not in the forest of more edges.
// The forest goes in front of the next batch, in its order, and reading pauses between blocks of the file: so edges stay in the order of
// the input, and of edges with the same ends and weight the first is kept, as if all edges had been there at once.
// Strings are numbered on arrival by one map for all batches. Edges of equal weight are compared by the names of their ends, so a merge
// gives vertices the positions of their names in ascending order, and the forest gets its numbers back before the next merge.
#pragma once
#include <copse/io.hpp>
#include <copse/weighted_forest.hpp>
#include <core/phase_times.hpp>
#include <core/request.hpp>
#include <ids/id_map.hpp>
#include <io/collect.hpp>
#include <io/request.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace copse::api {

class forest_sink final : public io::edge_sink {
public:
  /// Keeps references to `input` and `options`. `least`: the fewest edges that are collected before a merge; tests make it small.
  forest_sink(const io::read_request& input, const request<weighted_forest_options>& options, std::uint64_t least = std::uint64_t{1} << 21)
      : input_{input}, options_{options}, least_{least}, limit_{least} {}

  [[nodiscard]] io::sink_wishes wishes() const noexcept override { return {.weights = true, .pauses = true}; }
  void begin(const io::source_facts& facts) override;
  void begin_block(unsigned worker, std::uint64_t block) override { collected_->begin_block(worker, block); }
  void edges(unsigned worker, const io::edge_batch& batch) override {
    collected_->edges(worker, batch);
    came_.fetch_add(batch.size(), std::memory_order_relaxed);
  }
  void vertices(unsigned worker, const io::vertex_batch& batch) override { collected_->vertices(worker, batch); }
  void ids_are_signed() override {
    signed_.store(true, std::memory_order_relaxed);
    if (collected_) collected_->ids_are_signed();
  }
  /// Called after the last edge.
  void finish() override { merge(true); }

  [[nodiscard]] bool wants_pause() const noexcept override { return came_.load(std::memory_order_relaxed) - merged_ >= limit_; }
  void pause() override {
    merge(false);
    resume();
  }

  /// Returns the forest of all edges that arrived; the sink is used up.
  [[nodiscard]] weighted_forest_result take() && {
    if (collected_) merge(true);
    return std::move(forest_);
  }
  /// Returns the forest of the edges that arrived. No more edges may be added before resume().
  [[nodiscard]] const weighted_forest_result& so_far() {
    if (collected_) merge(false);
    return forest_;
  }
  /// Continues with another batch, after so_far().
  void resume() {
    if (!collected_) begin(facts_);
  }
  /// Called before the first batch: starts from a forest of edges that were added elsewhere.
  void start_from(weighted_forest_result forest);

private:
  /// The collected edges are merged into the forest when there are this many of them for each edge of the forest. So the time of a merge is
  /// in proportion to the edges that it adds, however many came before.
  static constexpr std::uint64_t new_ones = 3;

  /// Replaces the forest and the collected edges by the forest of both. `last`: no edges follow, so the map of string names may be used up.
  void merge(bool last);
  /// Renumbers the vertices of a list by the positions of their names in ascending order. `last`: no edges follow, so the map of
  /// names may be used up.
  void order_names(graph& list, bool last);

  const io::read_request& input_;
  const request<weighted_forest_options>& options_;
  std::uint64_t least_, limit_;
  io::source_facts facts_;
  std::unique_ptr<ids::id_map<std::string_view>> names_;  ///< numbers ids that are strings
  buffer<std::uint32_t> numbers_;                         ///< if ids are strings, the number in names_ of each vertex of the forest
  std::optional<io::collecting_sink> collected_;
  std::atomic<bool> signed_{false};
  std::atomic<std::uint64_t> came_{0};
  std::uint64_t merged_ = 0, merges_ = 0;
  phase_times times_;
  double solve_seconds_ = 0;
  weighted_forest_result forest_;
};

}  // namespace copse::api
