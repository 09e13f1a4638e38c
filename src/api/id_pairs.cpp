// Pairs of ids in the memory of a caller as a source of graphs, components and forests.
#include <api/id_batches.hpp>
#include <copse/components.hpp>
#include <copse/components_sink.hpp>
#include <copse/errors.hpp>
#include <copse/pairs.hpp>
#include <copse/reading.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/weighted_graph.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace copse {
namespace {

constexpr std::size_t block_pairs = 1024;

template <class Batch>
void pass_on(const Batch& batch, io::edge_sink& sink, const execution& on) {
  constexpr bool named = std::same_as<typename Batch::id, std::string_view>;
  const unsigned threads = usable_threads(on.threads);
  sink.begin({.vertices = std::nullopt, .edges = batch.size(), .workers = threads, .named = named});
  if constexpr (!named && Batch::is_signed) {
    if (api::first_with_sign_bit(batch, threads) != batch.size()) sink.ids_are_signed();
  }
  parallel_blocks(threads, batch.size(), block_pairs, [&](std::size_t begin, std::size_t end) {
    if (on.observer != nullptr && on.observer->cancel_requested()) throw cancelled{};
    const unsigned worker = worker_number();
    std::array<api::edge_of<typename Batch::id>, block_pairs> some;
    for (std::size_t i = begin; i < end; ++i) some[i - begin] = batch[i];
    sink.begin_block(worker, begin / block_pairs);
    io::edge_batch passed;
    if constexpr (named) {
      passed.names = std::span{some}.first(end - begin);
    } else {
      passed.ids = std::span{some}.first(end - begin);
    }
    sink.edges(worker, passed);
  });
  sink.finish();
}

/// True if the edges are united directly from the caller's memory, without making a graph of them first.
bool are_united(const solve_options& options, const execution& on) {
  return options.variant == "auto" && !options.count && (on.device == "cpu" || on.device == "auto");
}

components_sink united(const id_pairs& edges, bool keep_forest, const execution& on) {
  execution here = on;
  here.device = "cpu";
  components_sink sink{{.vertices = std::nullopt, .keep_forest = keep_forest}, here};
  sink.add(edges);
  return sink;
}

}  // namespace

graph graph_of(const id_pairs& edges, const execution& on) {
  io::graph_sink sink{{}, on};
  api::with_batch("graph_of", edges, [&](const auto& batch) { pass_on(batch, sink, on); });
  return sink.take_graph();
}

weighted_graph graph_of(const id_pairs& edges, const weights_view& weights, const execution& on) {
  return std::visit(
      [&]<class Weight>(std::span<const Weight> given) {
        if (given.size() != edges.size()) {
          throw usage_error{"graph_of: there must be one weight for each of " + std::to_string(edges.size()) + " pairs, not " +
                            std::to_string(given.size())};
        }
        graph listed = graph_of(edges, on);
        buffer<Weight> column{given.size(), on.memory};
        std::copy(given.begin(), given.end(), column.begin());
        return weighted_graph{std::move(listed), weight_column{std::move(column), weights.precision()}};
      },
      weights);
}

components_result components(const id_pairs& edges, const solve_options& options, const execution& on) {
  return are_united(options, on) ? united(edges, false, on).finish() : components(graph_of(edges, on), options, on);
}

forest_result spanning_forest(const id_pairs& edges, const solve_options& options, const execution& on) {
  if (!are_united(options, on) || options.with_labels) return spanning_forest(graph_of(edges, on), options, on);
  return united(edges, true, on).finish_with_forest();
}

}  // namespace copse
