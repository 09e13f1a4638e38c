#include "io/weighted_rows.hpp"

#include "io/collect.hpp"
#include "io/edge_batch.hpp"

#include <copse/build.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace copse::io {
namespace {

template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> without_light(csr_view<Id, Offset> rows, std::span<const double> weights, const read_options& options) {
  const double least = *options.min_weight;
  csr<Id, Offset> kept;
  kept.offsets = buffer<Offset>{rows.offsets.size(), options.memory};
  kept.targets =
      buffer<Id>{static_cast<std::size_t>(std::ranges::count_if(weights, [least](double w) { return w >= least; })), options.memory};
  std::size_t to = 0, from = 0;
  kept.offsets[0] = 0;
  for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v) {
    for (; from < rows.offsets[v + 1]; ++from) {
      if (weights[from] >= least) kept.targets[to++] = rows.targets[from];
    }
    kept.offsets[v + 1] = static_cast<Offset>(to);
  }
  const row_facts facts = inspect(kept.view(), options.threads);
  kept.sorted = facts.sorted;
  kept.symmetric = facts.symmetric;
  return kept;
}

}  // namespace

weighted_graph weighted_list(const graph& rows, const std::string& file, const read_options& options,
                             const std::function<double(std::uint64_t)>& weight) {
  weighted_collecting_sink sink{options};
  std::visit(
      [&](const auto& view) {
        if constexpr (requires { view.targets; }) {
          const std::uint64_t n = view.vertices();
          sink.begin({.vertices = n, .first_id = rows.names().first_id().value_or(0), .edges = view.arcs(), .workers = 1, .named = false});
          edge_batch batch{sink, 0};
          for (std::uint64_t u = 0; u < n; ++u) {
            for (std::uint64_t a = view.offsets[u]; a < view.offsets[u + 1]; ++a) {
              const double w = weight(a);
              if (w != w) throw input_error::at(file, 0, "not a number as weight of entry " + std::to_string(a), "numbers");
              if (w >= *options.min_weight) batch.push(u, view.targets[a], w);
            }
          }
          batch.flush();
          sink.finish();
        }
      },
      rows.view());
  graph edges = std::move(sink).take();
  return {std::move(edges), weight_column{std::move(sink).take_weights()}};
}

weighted_graph weighted_list(const weighted_rows& read, const std::string& file, const read_options& options) {
  return weighted_list(read.rows, file, options, [&](std::uint64_t i) { return read.weights[i]; });
}

graph heavy_arcs(const weighted_rows& all, const read_options& options) {
  return std::visit(
      [&](const auto& view) -> graph {
        if constexpr (requires { view.targets; }) {
          return graph{without_light(view, all.weights.span(), options), all.rows.names()};
        } else {
          return {};  // never: they are rows
        }
      },
      all.rows.view());
}

}  // namespace copse::io
