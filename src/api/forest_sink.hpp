// A sink that keeps the weighted forest of the edges that came. Edges are collected until there are a few times as many as the forest has;
// then the forest of both takes their place. So most edges are looked at once or twice, and memory is O(vertices).
// What is right for a batch is right for all: an edge that is not in the forest of some edges is in no forest of more.
// The forest goes in front of the next batch, in its order, and reading pauses between blocks of the file: so edges stay in the order of
// the input, and of edges that are equal in everything the first is kept, as if all had been there at once.
#pragma once
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_forest.hpp>
#include <core/phase_times.hpp>
#include <core/request.hpp>
#include <core/team.hpp>
#include <io/collect.hpp>
#include <io/request.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

namespace copse::api {

enum class called : std::uint8_t {
  by_name,      ///< ids are the names of the vertices
  by_position,  ///< ids are 0 .. n - 1, of a graph whose vertices were declared
};

/// Passes edges of these weights to a sink; make(i) is edge i. Each worker below `workers` takes a part, in their order: where all are in
/// one block, that is the order of the edges.
template <class Make>
void pass_edges(std::span<const double> weights, io::edge_sink& sink, unsigned workers, Make make) {
  on_workers(workers, [&](unsigned worker) {
    std::array<decltype(make(std::size_t{0})), 1024> some;
    const std::size_t last = weights.size() * (worker + 1) / workers;
    for (std::size_t i = weights.size() * worker / workers; i < last; i += some.size()) {
      const std::size_t count = std::min(some.size(), last - i);
      for (std::size_t k = 0; k < count; ++k) some[k] = make(i + k);
      io::edge_batch batch;
      batch.weights = weights.subspan(i, count);
      if constexpr (std::same_as<decltype(make(std::size_t{0})), io::named_edge>) {
        batch.names = std::span{some}.first(count);
      } else {
        batch.ids = std::span{some}.first(count);
      }
      sink.edges(worker, batch);
    }
  });
}

/// A list of edges with weights goes on to a sink as if it were read: the edges in their order, then the vertices without one.
/// Preconditions: a list; the sink has begun, with strings where names are strings, and all of its workers below `workers` are in one
/// block.
inline void hand_over(const graph& list, std::span<const double> weights, io::edge_sink& sink, called ids,
                      std::pmr::memory_resource* memory, unsigned workers = 1) {
  const vertex_names& names = list.names();
  buffer<bool> touched{list.vertices(), memory};
  std::fill(touched.begin(), touched.end(), false);
  const auto touch = [&touched](std::uint64_t v) {
    const std::atomic_ref<bool> mark{touched[v]};
    if (!mark.load(std::memory_order_relaxed)) mark.store(true, std::memory_order_relaxed);
  };
  const auto pass = [&]<class Edge>(Edge /*kind*/, const auto& edges, auto name) {
    pass_edges(weights, sink, workers, [&](std::size_t i) {
      const auto [u, v] = edges[i];
      touch(u);
      touch(v);
      return Edge{name(u), name(v)};
    });
  };
  const bool strings = names.what() == vertex_names::kind::strings;
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          if (strings) {
            pass(io::named_edge{}, shape.edges, [&](std::uint64_t v) { return names.string(v); });
          } else if (ids == called::by_name) {
            pass(edge<std::uint64_t>{}, shape.edges, [&](std::uint64_t v) { return names.integer(v); });
          } else {
            pass(edge<std::uint64_t>{}, shape.edges, [](std::uint64_t v) { return v; });
          }
        }
      },
      list.shape());
  if (ids == called::by_position) return;  // all vertices were declared
  for (std::uint64_t v = 0; v < touched.size(); ++v) {
    if (touched[v]) continue;
    const std::uint64_t id = strings ? 0 : names.integer(v);
    const std::string_view name = strings ? names.string(v) : std::string_view{};
    sink.vertices(0, strings ? io::vertex_batch{.names = {&name, 1}} : io::vertex_batch{.ids = {&id, 1}});
  }
}

class forest_sink final : public io::edge_sink {
public:
  /// Keeps pointers to both. `least`: edges that are collected at least before they are merged; tests make it small.
  forest_sink(const io::read_request& input, const request<weighted_forest_options>& options, std::uint64_t least = std::uint64_t{1} << 20)
      : input_{input}, options_{options}, least_{least}, limit_{least} {}

  [[nodiscard]] io::sink_wishes wishes() const noexcept override { return {.weights = true}; }
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
  void finish() override { merge(); }

  [[nodiscard]] bool wants_pause() const noexcept override { return came_.load(std::memory_order_relaxed) - merged_ >= limit_; }
  void pause() override {
    merge();
    go_on();
  }

  /// After finish().
  [[nodiscard]] weighted_forest_result take() && { return std::move(forest_); }
  /// The forest of what came. Nothing more may come before go_on().
  [[nodiscard]] const weighted_forest_result& so_far() {
    if (collected_) merge();
    return forest_;
  }
  /// Some came before, and were merged elsewhere.
  void count_before(std::uint64_t edges, std::uint64_t merges) noexcept {
    came_ += edges;
    merged_ += edges;
    merges_ += merges;
  }
  /// After so_far(): hands the forest to a new collector, in front of what will come.
  void go_on();

private:
  /// Edges that are collected for each of the forest: a merge takes about as long as the forest of so many edges, whatever came before.
  static constexpr std::uint64_t new_ones = 3;

  void merge();

  const io::read_request& input_;
  const request<weighted_forest_options>& options_;
  std::uint64_t least_, limit_;
  io::source_facts facts_;
  std::optional<io::collecting_sink> collected_;
  std::atomic<bool> signed_{false};
  std::atomic<std::uint64_t> came_{0};
  std::uint64_t merged_ = 0, merges_ = 0;
  phase_times times_;
  double solve_seconds_ = 0;
  weighted_forest_result forest_;
};

}  // namespace copse::api
