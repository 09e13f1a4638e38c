#include "io/weighted_rows.hpp"

#include <copse/build.hpp>

#include <algorithm>
#include <type_traits>
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
