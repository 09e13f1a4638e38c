// Edges that arrive and leave in batches: all edges of a graph are inserted, each once, and then erased in another order. Two yardsticks
// are measured beside it in each trial: one growing flat set of pairs, which a structure that keeps edges needs at least, and sequential
// Rem with a flatten pass, which solves the graph once.
#include <algorithm>
#include <chrono>
#include <copse/copse.hpp>
#include <copse/dynamic.hpp>
#include <numeric>
#include <span>

#include "inputs.hpp"
#include "kit.hpp"
#include "streams.hpp"

namespace copse::lab {
namespace {

using pairs = std::vector<edge<std::uint32_t>>;

constexpr std::uint64_t no_pair = ~std::uint64_t{0};

std::size_t slot_of(const std::vector<std::uint64_t>& table, std::uint64_t pair) {
  std::size_t i = (pair * 0x9E3779B97F4A7C15u >> 20) & (table.size() - 1);
  while (table[i] != no_pair && table[i] != pair) i = (i + 1) & (table.size() - 1);
  return i;
}

std::size_t growing_set(const pairs& edges) {
  std::vector<std::uint64_t> table(1024, no_pair);
  std::size_t count = 0;
  for (const auto& [u, v] : edges) {
    if (count * 4 >= table.size() * 3) {
      std::vector<std::uint64_t> larger(table.size() * 2, no_pair);
      for (const std::uint64_t pair : table)
        if (pair != no_pair) larger[slot_of(larger, pair)] = pair;
      table.swap(larger);
    }
    const std::uint64_t pair = std::uint64_t{std::min(u, v)} << 32 | std::max(u, v);
    std::uint64_t& slot = table[slot_of(table, pair)];
    count += slot != pair;
    slot = pair;
  }
  return count;
}

std::size_t rem(const pairs& edges, std::vector<std::uint32_t>& parents) {
  for (auto [u, v] : edges) {
    while (parents[u] != parents[v]) {
      if (parents[u] < parents[v]) std::swap(u, v);
      if (parents[u] == u) {
        parents[u] = parents[v];
        break;
      }
      u = std::exchange(parents[u], parents[v]);
    }
  }
  std::size_t components = 0;
  for (std::uint32_t v = 0; v < parents.size(); ++v) {
    parents[v] = parents[parents[v]];
    components += parents[v] == v;
  }
  return components;
}

/// Erases the edges one by one, and returns how long the median, the slowest of 100, the slowest of 1,000 and the slowest of all take, in
/// microseconds.
std::vector<reading> latencies(dynamic& graph, std::span<const dynamic_edge<std::uint32_t>> edges) {
  std::vector<double> each;
  each.reserve(edges.size());
  auto last = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    graph.erase(edges.subspan(i, 1));
    const auto now = std::chrono::steady_clock::now();
    each.push_back(std::chrono::duration<double, std::micro>(now - last).count());
    last = now;
  }
  std::ranges::sort(each);
  const auto at = [&](double share) {
    return each[std::min(each.size() - 1, static_cast<std::size_t>(share * static_cast<double>(each.size())))];
  };
  return {{"median", "us", at(.5)}, {"p99", "us", at(.99)}, {"p99.9", "us", at(.999)}, {"most", "us", each.back()}};
}

void run(const arguments& asked, recorder& out) {
  const unsigned threads = asked.threads();
  const bool one_by_one = asked["latencies"] == "1";
  const double keep = std::stod(asked["keep"]);
  for (const std::string& spec : asked.operands()) {
    edge_stream stream = shuffled_edges_of(spec);
    stream.list.resize(static_cast<std::size_t>(keep * static_cast<double>(stream.list.size())));
    std::vector<dynamic_edge<std::uint32_t>> arriving(stream.list.size()), leaving(stream.list.size());
    const permutation order{stream.list.size(), random_stream{7, 5}};
    for (std::size_t i = 0; i < stream.list.size(); ++i) leaving[order(i)] = arriving[i] = {.u = stream.list[i].u, .v = stream.list[i].v};
    std::vector<contestant> ways;
    for (const std::size_t batch : batch_sizes(asked, stream.list.size())) {
      series_setting setting{{"batch", batch_name(batch, stream.list.size())}};
      if (keep != 1) setting.emplace_back("keep", asked["keep"]);
      ways.push_back({"dynamic", setting, [&, batch]() -> std::vector<reading> {
                        agreement counts{spec};
                        std::vector<std::uint32_t> parents(stream.vertices);
                        std::iota(parents.begin(), parents.end(), 0u);
                        const double set = seconds_of(threads, [&] { growing_set(stream.list); });
                        const double solve = seconds_of(threads, [&] { counts.expect(rem(stream.list, parents), "rem"); });
                        dynamic graph{{}, {.threads = threads}};
                        const double insert = seconds_of(threads, [&] {
                          in_batches(std::span{std::as_const(arriving)}, batch, [&](auto part) { graph.insert(part); });
                        });
                        counts.expect(graph.count() + (stream.vertices - graph.vertices()), "dynamic");
                        const auto rate = [](std::string measure, std::size_t edges, double seconds, std::string phase = {}) -> reading {
                          return {std::move(measure), "M edges/s", 1e-6 * static_cast<double>(edges) / seconds, std::move(phase)};
                        };
                        std::vector<reading> found;
                        if (one_by_one) {
                          found = latencies(graph, leaving);
                          found.push_back({"solve", "us", 1e6 * solve});
                        } else {
                          found = {rate("set", arriving.size(), set),
                                   rate("rem", arriving.size(), solve),
                                   rate("insert", arriving.size(), insert),
                                   {"set_to_insert", "times", insert / set}};
                        }
                        for (std::size_t tenth = 0; tenth < 10 && !one_by_one; ++tenth) {
                          const std::size_t begin = leaving.size() * tenth / 10, end = leaving.size() * (tenth + 1) / 10;
                          const auto edges = std::span{std::as_const(leaving)}.subspan(begin, end - begin);
                          const double erase =
                              seconds_of(threads, [&] { in_batches(edges, batch, [&](auto part) { graph.erase(part); }); });
                          found.push_back(rate("erase", edges.size(), erase, fmt::format("tenth {}", tenth + 1)));
                        }
                        if (graph.edge_count() != 0) throw error{spec + ": edges are left after all were erased"};
                        return found;
                      }});
    }
    out.write(spec, threads, in_turns(ways, asked.trials()));
  }
}

}  // namespace

extern const problem dynamic_edges_problem{"dynamic",
                                           "Edges that are inserted and erased in batches, and two yardsticks.",
                                           "GRAPH...",
                                           {{"batches", "10000"}, {"keep", "1"}, {"latencies", "0"}},
                                           run};

}  // namespace copse::lab
