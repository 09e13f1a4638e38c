#include <api/forest_sink.hpp>
#include <copse/execution.hpp>
#include <core/parallel.hpp>
#include <weighted/side_by_side.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <variant>

namespace copse::api {
namespace {

/// Returns a list of edges in which vertex v is renumbered to numbers[v].
graph renumbered(const graph& list, std::span<const std::uint32_t> numbers, vertex_names names, unsigned threads,
                 std::pmr::memory_resource* memory) {
  constexpr std::size_t block = std::size_t{1} << 16;
  const auto& from = std::get<coo<std::uint32_t>>(list.shape()).edges;
  coo<std::uint32_t> to{static_cast<std::uint32_t>(names.size()), buffer<edge<std::uint32_t>>{from.size(), memory}};
  parallel_blocks(threads, from.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) to.edges[i] = {numbers[from[i].u], numbers[from[i].v]};
  });
  return graph{std::move(to), std::move(names)};
}

}  // namespace

void forest_sink::begin(const io::source_facts& facts) {
  facts_ = facts;
  collected_.emplace(input_, wishes());
  if (facts.named) {
    if (names_ == nullptr) names_ = std::make_unique<ids::id_map<std::string_view>>(std::max(1u, facts.workers), input_.memory);
    collected_->number_by(*names_);
  }
  collected_->begin(facts_);
  if (signed_.load(std::memory_order_relaxed)) collected_->ids_are_signed();
}

void forest_sink::merge(bool last) {
  collected_->finish();
  weighted_graph batch;
  batch.edges = std::move(*collected_).take();
  batch.weights = weight_column{std::move(*collected_).take_weights()};
  collected_.reset();
  const unsigned threads = usable_threads(options_.threads);
  if (forest_.edges.vertices() != 0) {
    if (names_ != nullptr) {
      forest_.edges = renumbered(forest_.edges, numbers_.span(), vertex_names::identity(names_->bound()), threads, input_.memory);
    }
    batch = weighted::side_by_side(forest_.edges, forest_.weights, batch.edges, batch.weights, threads, input_.memory);
    forest_ = {};
  }
  if (names_ != nullptr) order_names(batch.edges, last);
  forest_ = weighted_forest(batch, options_.options(), options_.on());
  merged_ = came_.load(std::memory_order_relaxed);
  limit_ = std::max(least_, new_ones * forest_.edge_count());
  ++merges_;
  for (const phase& p : forest_.report.phases) times_.add(p.name, p.seconds);
  solve_seconds_ += forest_.report.solve_seconds;
  forest_.report.phases = times_.all();
  forest_.report.solve_seconds = solve_seconds_;
  forest_.report.edges = merged_;
  forest_.merges = merges_;
}

void forest_sink::order_names(graph& list, bool last) {
  const unsigned threads = usable_threads(options_.threads);
  const std::uint64_t bound = names_->bound();
  ids::ordered_ids ordered = last ? names_->take_ordered(threads) : names_->ordered(threads);
  const buffer<std::uint32_t> positions = ids::positions_of(ordered, bound, threads, input_.memory);
  list = renumbered(list, positions.span(), std::move(ordered.names), threads, input_.memory);
  numbers_ = std::move(ordered.numbers);
}

void forest_sink::start_from(weighted_forest_result forest) {
  forest_ = std::move(forest);
  came_ = merged_ = forest_.report.edges;
  limit_ = std::max(least_, new_ones * forest_.edge_count());
  merges_ = forest_.merges;
  for (const phase& p : forest_.report.phases) times_.add(p.name, p.seconds);
  solve_seconds_ = forest_.report.solve_seconds;
}

}  // namespace copse::api
