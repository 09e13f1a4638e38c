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

/// A list of edges with weights goes on to a sink as if it were read: the edges in their order, then the vertices without one. The sink is
/// one of edges and of weights. Preconditions: a list; the sink has begun, with strings where names are strings. Its workers
/// below `workers` bring a part each, in their order: all are in the same block.
template <class Sink>
void hand_over(const graph& list, std::span<const double> weights, Sink& sink, called ids, std::pmr::memory_resource* memory,
               unsigned workers = 1) {
  constexpr std::size_t part = 1024;
  const vertex_names& names = list.names();
  buffer<bool> touched{list.vertices(), memory};
  std::fill(touched.begin(), touched.end(), false);
  const auto touch = [&touched](std::uint64_t v) {
    const std::atomic_ref<bool> mark{touched[v]};
    if (!mark.load(std::memory_order_relaxed)) mark.store(true, std::memory_order_relaxed);
  };
  const auto pass = [&]<class Edge>(Edge /*kind*/, const auto& edges, auto name, auto put) {
    on_workers(workers, [&](unsigned worker) {
      std::array<Edge, part> some;
      const std::size_t last = edges.size() * (worker + 1) / workers;
      for (std::size_t i = edges.size() * worker / workers; i < last; i += part) {
        const std::size_t count = std::min(part, last - i);
        for (std::size_t k = 0; k < count; ++k) {
          const auto [u, v] = edges[i + k];
          touch(u);
          touch(v);
          some[k] = {name(u), name(v)};
        }
        sink.weights(worker, weights.subspan(i, count));
        put(worker, std::span<const Edge>{some.data(), count});
      }
    });
  };
  const auto each_alone = [&](auto put) {
    for (std::uint64_t v = 0; v < touched.size(); ++v) {
      if (!touched[v]) put(v);
    }
  };
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          if (names.what() == vertex_names::kind::strings) {
            pass(
                io::named_edge{}, shape.edges, [&](std::uint64_t v) { return names.string(v); },
                [&](unsigned worker, std::span<const io::named_edge> edges) { sink.named_edges(worker, edges); });
            each_alone([&](std::uint64_t v) {
              const std::string_view name = names.string(v);
              sink.named_vertices(0, {&name, 1});
            });
          } else {
            const auto id = [&](std::uint64_t v) { return ids == called::by_position ? v : names.integer(v); };
            pass(edge<std::uint64_t>{}, shape.edges, id,
                 [&](unsigned worker, std::span<const edge<std::uint64_t>> edges) { sink.edges(worker, edges); });
            if (ids == called::by_position) return;  // all of them were declared
            each_alone([&](std::uint64_t v) {
              const std::uint64_t name = id(v);
              sink.vertices(0, {&name, 1});
            });
          }
        }
      },
      list.shape());
}

class forest_sink final : public io::edge_sink, public io::weight_sink {
public:
  /// Keeps pointers to both. `least`: edges that are collected at least before they are merged; tests make it small.
  forest_sink(const io::read_request& input, const request<weighted_forest_options>& options, std::uint64_t least = std::uint64_t{1} << 20)
      : input_{input}, options_{options}, least_{least}, limit_{least} {}

  void begin(const io::source_facts& facts) override;
  void begin_block(unsigned worker, std::uint64_t block) override { collected_->begin_block(worker, block); }
  void weights(unsigned worker, std::span<const double> batch) override { collected_->weights(worker, batch); }
  void edges(unsigned worker, std::span<const edge<std::uint64_t>> batch) override {
    collected_->edges(worker, batch);
    came_.fetch_add(batch.size(), std::memory_order_relaxed);
  }
  void named_edges(unsigned worker, std::span<const io::named_edge> batch) override {
    collected_->named_edges(worker, batch);
    came_.fetch_add(batch.size(), std::memory_order_relaxed);
  }
  void vertices(unsigned worker, std::span<const std::uint64_t> ids) override { collected_->vertices(worker, ids); }
  void named_vertices(unsigned worker, std::span<const std::string_view> names) override { collected_->named_vertices(worker, names); }
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
  std::optional<io::weighted_collecting_sink> collected_;
  std::atomic<std::uint64_t> came_{0};
  std::uint64_t merged_ = 0, merges_ = 0;
  phase_times times_;
  double solve_seconds_ = 0;
  weighted_forest_result forest_;
};

}  // namespace copse::api
