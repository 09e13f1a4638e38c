// cluster() of a graph in memory: reading all pairs again is a loop over them.
#include <clusters/held.hpp>
#include <clusters/pair_set.hpp>
#include <clusters/solve.hpp>
#include <copse/errors.hpp>
#include <copse/weighted_forest.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>

#include <chrono>
#include <cmath>
#include <optional>
#include <string>

namespace copse {
namespace clusters {

void check_rules(const cluster_rules& rules) {
  for (const double t : rules.thresholds) {
    if (t != t) throw usage_error{"thresholds must be numbers, not NaN"};
  }
  if (rules.cut_bridges && *rules.cut_bridges != *rules.cut_bridges) throw usage_error{"cut_bridges must be a number, not NaN"};
}

double lowest_threshold(const cluster_rules& rules) {
  return rules.thresholds.empty() ? -std::numeric_limits<double>::infinity() : *std::ranges::min_element(rules.thresholds);
}

std::vector<std::uint64_t> exempt_vertices(const constraints& limits) {
  std::vector<std::uint64_t> exempt;
  for (const value_limit& limit : limits.limits)
    exempt.push_back(static_cast<std::uint64_t>(std::ranges::count(limit.values, value_limit::no_value)));
  return exempt;
}

namespace {

/// The scores of a column as doubles, the form in which they are compared with thresholds.
class score_column {
public:
  score_column(weights_view weights, const execution& on) : precision_{weights.precision()} {
    std::visit(
        [&]<class Weight>(std::span<const Weight> column) {
          if constexpr (std::same_as<Weight, double>) {
            scores_ = column;
          } else {
            held_ = buffer<double>{column.size(), on.memory};
            parallel_blocks(usable_threads(on.threads), column.size(), std::size_t{1} << 16, [&](std::size_t begin, std::size_t end) {
              for (std::size_t i = begin; i < end; ++i) held_[i] = largest_double_up_to(column[i]);
            });
            scores_ = held_.span();
          }
        },
        static_cast<const weights_view::variant&>(weights));
  }
  [[nodiscard]] std::span<const double> scores() const noexcept { return scores_; }
  [[nodiscard]] weights_view view() const noexcept { return {weights_view{scores_}, precision_}; }

private:
  weight_precision precision_;
  buffer<double> held_;
  std::span<const double> scores_;
};

/// Returns the pairs of a graph for which is_wanted(pair) is true, in one list per thread, without loops. Uses all threads.
template <unsigned_index Id, class View, class IsWanted>
std::vector<pairs_of<Id>> collected(const View& g, std::span<const double> scores, const execution& on, IsWanted is_wanted) {
  const unsigned threads = usable_threads(on.threads);
  auto found = pairs_of_workers<Id>(threads, on.memory);
  const auto look = [&](pairs_of<Id>& own, auto u, auto v, double score) {
    if (u == v) return;
    const auto p = pair_of(static_cast<Id>(u), static_cast<Id>(v), score);
    if (is_wanted(p)) own.push_back(p);
  };
  if constexpr (requires { g.edges; }) {
    parallel_blocks(threads, g.edges.size(), std::size_t{1} << 14, [&](std::size_t begin, std::size_t end) {
      pairs_of<Id>& own = found[worker_number()];
      for (std::size_t i = begin; i < end; ++i) look(own, g.edges[i].u, g.edges[i].v, scores[i]);
    });
  } else {
    parallel_blocks(threads, g.vertices(), 1024, [&](std::size_t begin, std::size_t end) {
      pairs_of<Id>& own = found[worker_number()];
      for (std::size_t u = begin; u < end; ++u) {
        for (std::size_t i = g.offsets[u]; i < g.offsets[u + 1]; ++i) look(own, u, std::size_t{g.targets[i]}, scores[i]);
      }
    });
  }
  return found;
}

template <unsigned_index Id>
weighted_forest_result maximum_forest(Id vertices, const std::vector<pairs_of<Id>>& parts, const execution& on) {
  std::size_t count = 0;
  for (const auto& part : parts) count += part.size();
  buffer<edge<Id>> edges{count, on.memory};
  buffer<double> scores{count, on.memory};
  count = 0;
  for (const auto& part : parts) {
    for (const auto& p : part) {
      edges[count] = {p.u, p.v};
      scores[count++] = score_of(p.key);
    }
  }
  return weighted_forest(graph_view{coo_view<Id>{vertices, edges.span(), true}}, weights_view{std::as_const(scores).span()},
                         {.goal = forest_goal::maximum}, on);
}

execution on_cpu(execution on) {
  on.device = "cpu";
  return on;
}

}  // namespace

cluster_result clusters_of_held(graph_view g, weights_view weights, const vertex_names& names, const cluster_rules& rules,
                                const constraints& limits, const execution& asked) {
  const auto start = std::chrono::steady_clock::now();
  const execution on = on_cpu(asked);
  check_rules(rules);
  const score_column column{weights, on};
  phase_times times;
  weighted_forest_result first = [&] {
    const phase_timer timing{times, "forest"};
    return weighted_forest(g, column.view(), {.goal = forest_goal::maximum}, on);
  }();
  first.edges = std::move(first.edges).renamed(names);
  cluster_result result;
  result.exempt = exempt_vertices(limits);
  std::visit(
      [&]<class Shape>(const Shape&) {
        using id = typename Shape::id_type;
        const auto all_pairs = [&](auto is_wanted) {
          return std::visit([&](const auto& view) { return collected<id>(view, column.scores(), on, is_wanted); }, g);
        };
        const pair_reader<id> read{[&](std::span<const scored_pair<id>> in_first) {
                                     const pair_set known{in_first, usable_threads(on.threads), on.memory};
                                     const auto rest = all_pairs([&](const auto& p) { return !known.has(p.u, p.v); });
                                     return pairs_of_forest<id>(maximum_forest(static_cast<id>(first.edges.vertices()), rest, on), on);
                                   },
                                   [&](const auto& wants, std::uint64_t) { return all_pairs(wants); }};
        solve<id>(first, rules, limits, read, result, times, on);
      },
      first.edges.shape());
  result.report = first.report;
  result.report.phases = times.all();
  result.report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace clusters

namespace {

std::uint64_t vertices_of(const graph_view& g) {
  return std::visit([](const auto& view) { return std::uint64_t{view.vertices()}; }, g);
}

}  // namespace

cluster_result cluster(graph_view g, weights_view weights, const cluster_options& options, const execution& on) {
  const std::uint64_t vertices = vertices_of(g);
  return clusters::clusters_of_held(g, weights, vertex_names::identity(vertices), options, clusters::constraints{options, vertices, on},
                                    on);
}

cluster_result cluster(const weighted_graph& g, const cluster_options& options, const execution& on) {
  return clusters::clusters_of_held(g.edges.view(), g.weights.view(), g.edges.names(), options,
                                    clusters::constraints{options, g.edges.vertices(), on}, on);
}

}  // namespace copse
