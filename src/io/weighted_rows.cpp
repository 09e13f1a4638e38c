#include "io/weighted_rows.hpp"

#include "io/collect.hpp"
#include "io/simple_lines.hpp"

#include <copse/build.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace copse::io {
namespace {

template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> without_light(csr_view<Id, Offset> rows, std::span<const double> weights, const weight_rule& rule,
                              const read_request& options) {
  csr<Id, Offset> kept;
  kept.offsets = buffer<Offset>{rows.offsets.size(), options.memory};
  kept.targets =
      buffer<Id>{static_cast<std::size_t>(std::ranges::count_if(weights, [&rule](double w) { return rule.takes(w); })), options.memory};
  std::size_t to = 0, from = 0;
  kept.offsets[0] = 0;
  for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v) {
    for (; from < rows.offsets[v + 1]; ++from) {
      if (rule.takes(weights[from])) kept.targets[to++] = rows.targets[from];
    }
    kept.offsets[v + 1] = static_cast<Offset>(to);
  }
  const row_facts facts = inspect(kept.view(), options.on());
  kept.sorted = facts.sorted;
  kept.symmetric = facts.symmetric;
  return kept;
}

/// Does nothing: readers of text formats have already refused weights that are not numbers, and a NaN that is left marks a missing weight.
void refused_with_lines(std::uint64_t) {}

}  // namespace

void judge_weights(weight_rule& rule, std::uint64_t count, const std::string& file, const std::function<double(std::uint64_t)>& weight,
                   const std::function<void(std::uint64_t)>& refuse) {
  weight_rule::tally seen;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double w = weight(i);
    const judged_weight found{rule.verdict_of(w), w};
    if (found.verdict == weight_verdict::not_a_number) refuse(i);
    seen.count(found);
  }
  rule.add(seen);
  rule.tell(file, "arc");
}

weighted_graph weighted_list(const graph& rows, const std::string& file, const read_request& options, weight_precision precision,
                             const std::function<double(std::uint64_t)>& weight, const std::function<void(std::uint64_t)>& refuse) {
  weight_rule rule{options, precision};
  const auto arcs = std::visit(
      [](const auto& view) -> std::uint64_t {
        if constexpr (requires { view.targets; }) return view.targets.size();
        return 0;
      },
      rows.view());
  judge_weights(rule, arcs, file, weight, refuse);
  collecting_sink sink{options, {.weights = true}};
  std::visit(
      [&](const auto& view) {
        if constexpr (requires { view.targets; }) {
          const std::uint64_t n = view.vertices();
          sink.begin({.vertices = n, .first_id = rows.names().first_id().value_or(0), .edges = view.arcs(), .workers = 1, .named = false});
          batched_edges batch{sink, 0};
          for (std::uint64_t u = 0; u < n; ++u) {
            for (std::uint64_t a = view.offsets[u]; a < view.offsets[u + 1]; ++a) {
              if (const double w = weight(a); rule.takes(w)) batch.push(u, view.targets[a], w);
            }
          }
          batch.flush();
          sink.finish();
        }
      },
      rows.view());
  graph edges = std::move(sink).take();
  return {std::move(edges), weight_column{std::move(sink).take_weights(), precision}};
}

weighted_graph weighted_list(const weighted_rows& read, const std::string& file, const read_request& options) {
  return weighted_list(
      read.rows, file, options, weight_precision::full, [&](std::uint64_t i) { return read.weights[i]; }, refused_with_lines);
}

graph heavy_arcs(const weighted_rows& all, const std::string& file, const read_request& options) {
  weight_rule rule{options};
  judge_weights(
      rule, all.weights.size(), file, [&](std::uint64_t i) { return all.weights[i]; }, refused_with_lines);
  return std::visit(
      [&](const auto& view) -> graph {
        if constexpr (requires { view.targets; }) {
          return graph{without_light(view, all.weights.span(), rule, options), all.rows.names()};
        } else {
          return {};  // not reached: all.rows is stored as rows, not as a list of edges
        }
      },
      all.rows.view());
}

}  // namespace copse::io
