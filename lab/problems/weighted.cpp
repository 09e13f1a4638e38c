// Minimum spanning forests of graphs with the weights of inputs.hpp, and what is made of a maximum spanning forest.
#include <algorithm>
#include <copse/copse.hpp>
#include <copse/hierarchy.hpp>
#include <cstdio>
#include <numeric>

#include "inputs.hpp"
#include "kit.hpp"

namespace copse::lab {
namespace {

struct plain_edge {
  std::uint32_t weight, u, v;
};

/// Kruskal's algorithm as textbooks have it, the yardstick for one thread: std::sort of all edges, and union-find with path halving.
template <class Rows>
std::uint64_t plain_kruskal(const Rows& rows, std::span<const std::uint32_t> weights) {
  std::vector<plain_edge> edges, forest;
  edges.reserve(weights.size() / 2);
  for (std::uint32_t u = 0; u < rows.vertices(); ++u) {
    for (auto a = rows.offsets[u]; a < rows.offsets[u + 1]; ++a) {
      if (u < rows.targets[a]) edges.push_back({weights[a], u, static_cast<std::uint32_t>(rows.targets[a])});
    }
  }
  std::ranges::sort(edges, {}, &plain_edge::weight);
  std::vector<std::uint32_t> parents(rows.vertices());
  std::iota(parents.begin(), parents.end(), 0u);
  const auto root = [&parents](std::uint32_t v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  for (const plain_edge& e : edges) {
    const std::uint32_t u = root(e.u), v = root(e.v);
    if (u == v) continue;
    parents[std::max(u, v)] = std::min(u, v);
    forest.push_back(e);
  }
  std::uint64_t total = 0;
  for (const plain_edge& e : forest) total += e.weight;
  return total;
}

std::uint64_t plain_total(const graph& rows, std::span<const std::uint32_t> weights) {
  return std::visit(
      [&](const auto& shape) -> std::uint64_t {
        if constexpr (requires { shape.offsets; }) {
          return plain_kruskal(shape.view(), weights);
        } else {
          throw usage_error{"plain.kruskal: found no rows, expected some"};
        }
      },
      rows.shape());
}

std::uint64_t total_of(const weight_column& weights) {
  const auto& held = std::get<buffer<std::uint32_t>>(weights.held());
  return std::accumulate(held.begin(), held.end(), std::uint64_t{0});
}

/// Rows, weights and all memory are on the GPU before the clock starts, and the forest stays there.
void resident_ways(const graph& rows, std::span<const std::uint32_t> weights, const arguments& asked, agreement& totals,
                   std::vector<contestant>& ways) {
  for (const std::string& name : asked.words("variants")) {
    const gpu_graph_options memory_taken{.variant = name, .problem = problem_kind::weighted_forest};
    const auto resident = std::make_shared<gpu_graph>(gpu_graph::copy_of(rows.view(), weights, memory_taken));
    const auto find = [resident, name] { return weighted_forest(*resident, {.variant = name}); };
    const gpu_spanning_forest first = find();
    std::vector<std::uint32_t> arcs(first.arcs_on_device().size());
    first.copy_out_arcs(arcs);
    std::uint64_t total = 0;
    for (const std::uint32_t arc : arcs) total += weights[arc];
    totals.expect(total, name);
    ways.push_back({name, {{"memory", "taken"}}, [find]() -> std::vector<reading> {
                      return {milliseconds("solve", seconds_of(0, [&] { static_cast<void>(find()); }))};
                    }});
  }
}

void run_forests(const arguments& asked, recorder& out) {
  const unsigned threads = asked.threads();
  for (const std::string& spec : asked.operands()) {
    const graph rows = rows_of(spec);
    const auto weights = weights_of(rows);
    agreement totals{spec};
    std::vector<contestant> ways;
    if (asked["resident"] == "yes") {
      require_gpu();
      resident_ways(rows, weights.span(), asked, totals, ways);
    } else {
      for (const std::string& name : asked.words("variants")) {
        ways.push_back({name, {}, [&, name]() -> std::vector<reading> {
                          const double start = now(threads);
                          if (name == "plain.kruskal") {
                            const std::uint64_t total = plain_total(rows, weights.span());
                            const double seconds = now(threads) - start;
                            totals.expect(total, name);
                            return {milliseconds("solve", seconds)};
                          }
                          const auto forest = weighted_forest(rows.view(), weights.span(), {.variant = name}, {.threads = threads});
                          std::vector<reading> found{milliseconds("solve", now(threads) - start)};
                          totals.expect(total_of(forest.weights), name);
                          add_phases(forest.report.phases, found);
                          return found;
                        }});
      }
    }
    out.write(spec, threads, in_turns(ways, asked.trials()));
  }
}

constexpr auto maximum = forest_goal::maximum;

/// Pairs of records, and how alike the two are.
struct record_pairs {
  std::uint32_t records;
  buffer<std::uint32_t> left, right;
  buffer<double> weights;
};
record_pairs pairs_of(std::uint32_t records, std::size_t count) {
  record_pairs pairs{records, buffer<std::uint32_t>{count}, buffer<std::uint32_t>{count}, buffer<double>{count}};
  const random_stream left{5, 1}, right{5, 2}, weights{5, 3};
  parallel_blocks(usable_threads(0), count, std::size_t{1} << 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      pairs.left[i] = static_cast<std::uint32_t>(left.below(i, records));
      pairs.right[i] = static_cast<std::uint32_t>(right.below(i, records));
      pairs.weights[i] = static_cast<double>(weights.word(i) >> 40) / 16777216;
    }
  });
  return pairs;
}

void run_hierarchy(const arguments& asked, recorder& out) {
  const unsigned threads = asked.threads();
  const execution on{.threads = threads};
  for (const std::string& spec : asked.operands()) {
    unsigned records = 0;
    unsigned long long count = 0;
    if (std::sscanf(spec.c_str(), "pairs:n=%u,m=%llu", &records, &count) != 2) {
      throw std::invalid_argument{fmt::format("found {}, expected pairs:n=RECORDS,m=PAIRS", spec)};
    }
    const record_pairs pairs = pairs_of(records, count);
    const auto solve = [&] {
      return weighted_forest(edge_columns_view<std::uint32_t>{records, pairs.left.span(), pairs.right.span()}, pairs.weights.span(),
                             {.goal = maximum}, on);
    };
    const auto forest = solve();
    const std::size_t batch = asked.number("batch");
    const std::vector<contestant> ways{
        {"forest",
         {},
         [&]() -> std::vector<reading> { return {milliseconds("solve", seconds_of(threads, [&] { static_cast<void>(solve()); }))}; }},
        {"dendrogram",
         {},
         [&]() -> std::vector<reading> {
           const double start = now(threads);
           const auto result = dendrogram(forest.edges, forest.weights.view(), {}, {.device = asked["device"], .threads = threads});
           std::vector<reading> found{milliseconds("solve", now(threads) - start)};
           add_phases(result.report.phases, found);
           return found;
         }},
        {"thresholds",
         {{"points", asked["points"]}},
         [&]() -> std::vector<reading> {
           const double start = now(threads);
           const auto levels = threshold_levels(forest.weights.view(), static_cast<unsigned>(asked.number("points")), on);
           const auto curve = threshold_curve(forest.edges, forest.weights.view(), levels, on);
           const double seconds = now(threads) - start;
           if (curve.empty() || curve.back().components != forest.count()) throw error{"found a curve that does not end at the components"};
           return {milliseconds("solve", seconds)};
         }},
        {"stream", {{"batch", asked["batch"]}}, [&]() -> std::vector<reading> {
           const double start = now(threads);
           weighted_edge_sink sink{{.goal = maximum}, on};
           for (std::size_t at = 0; at < pairs.left.size(); at += batch) {
             const std::size_t size = std::min(batch, pairs.left.size() - at);
             sink.add({pairs.left.span().subspan(at, size), pairs.right.span().subspan(at, size)}, pairs.weights.span().subspan(at, size));
           }
           const std::uint64_t edges = sink.forest().edge_count();
           const double seconds = now(threads) - start;
           if (edges != forest.edge_count()) throw error{fmt::format("streaming found {} edges, expected {}", edges, forest.edge_count())};
           return {milliseconds("solve", seconds)};
         }}};
    out.write(spec, threads, in_turns(ways, asked.trials()));
  }
}

}  // namespace

extern const problem weighted{
    "weighted",
    "Minimum spanning forests; plain.kruskal is a textbook's. --resident yes: rows, weights and forest on the GPU.",
    "GRAPH...",
    {{"variants", "auto"}, {"resident", "no"}},
    run_forests};
extern const problem hierarchy{"hierarchy",
                               "The maximum spanning forest of random pairs, its dendrogram, thresholds, and the forest in batches.",
                               "pairs:n=RECORDS,m=PAIRS...",
                               {{"points", "1000"}, {"batch", "1000000"}, {"device", "cpu"}},
                               run_hierarchy};

}  // namespace copse::lab
