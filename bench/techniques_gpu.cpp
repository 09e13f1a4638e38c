// copse_bench_techniques_gpu [--trials N] [--json OUT] GRAPH...
// What techniques of a GPU (src/gpu/settings.hpp) bring other than loops over rows: cuda variants without one and with it, by
// turns, in one process on one copy of the graph (a file or a generator spec), as rows or as the list of its edges. Times are by the GPU's
// clock. Every answer must be the one that the GPU has proved.
#include <fmt/format.h>
#include <api/benchmark_solver.hpp>
#include <copse/copse.hpp>
#include <copse/cuda.hpp>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "benchmark.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;
using id = std::uint32_t;

constexpr const char* reference = "cuda.none.rem_cas.naive.halve_one";
constexpr double quick_seconds = 0.05, slow_seconds = 3;     // solved once before the clock counts; solved once only
constexpr std::uint64_t most_searched_components = 100'000;  // a search for each

struct technique {
  std::string_view name;
  copse::gpu_techniques switched;
  bool lists;
  std::vector<std::string_view> variants;
};

std::vector<technique> techniques() {
  return {{"pairs",
           {.edges = copse::gpu_edge_load::pairs},
           true,
           {"none.rem_cas.naive.halve_one", "none.async.halve", "none.shiloach_vishkin", "none.soman", "none.cc", "none.cc_updt"}},
          {"filtered", {.rounds = copse::gpu_round_edges::filtered}, true, {"none.soman", "none.cc", "none.shiloach_vishkin"}},
          {"idempotent", {.search = copse::gpu_search::idempotent}, false, {"bfs.async.compress", "none.bfs_cc"}}};
}

/// The edges of rows that store both directions, each once.
copse::coo<id> list_of(const copse::graph& rows) {
  return std::visit(
      [](const auto& shape) -> copse::coo<id> {
        using id_type = typename std::remove_cvref_t<decltype(shape)>::id_type;
        if constexpr (std::is_same_v<id_type, id> && requires { shape.offsets; }) {
          const auto view = shape.view();
          copse::buffer<copse::edge<id>> edges{view.arcs()};
          std::size_t count = 0;
          for (id u = 0; u < view.vertices(); ++u) {
            for (const id v : view.row(u)) {
              if (v <= u) edges[count++] = {u, v};
            }
          }
          edges.shrink(count);
          return {view.vertices(), std::move(edges)};
        } else {
          throw std::runtime_error{"found 64-bit ids or a list, expected rows"};
        }
      },
      rows.shape());
}

class graph_bench {
public:
  graph_bench(const std::string& name, unsigned trials) : name_{name}, trials_{trials} {
    const auto held = copse::bench::graph_named(name);
    rows_.emplace(plain_.copy_in(held.view()));
    const auto list = list_of(held);
    edges_ = list.edges.size();
    vertices_ = list.vertex_count;
    list_.emplace(plain_.copy_in(list.view()));
    const auto labels = plain_.solve(*list_, {.variant = reference});
    const auto proof = plain_.verify(*rows_, labels);
    if (!proof) throw std::runtime_error{name + ": " + proof.reason};
    components_ = proof.components;
    checksum_ = plain_.checksum(labels);
  }

  json run() {
    json report = json::array();
    for (const auto& t : techniques()) {
      copse::benchmark_solver switched{{.short_fetches = true}, {}, t.switched};
      for (const std::string_view variant : t.variants) {
        if (variant.ends_with("bfs_cc") && components_ > most_searched_components) continue;
        report.push_back(compare(t, std::string{"cuda."}.append(variant), switched));
      }
    }
    return {{"graph", name_}, {"vertices", vertices_}, {"edges", edges_}, {"components", components_}, {"rows", std::move(report)}};
  }

private:
  struct side {
    copse::gpu_solver& solver;
    std::vector<double> samples = {};
    unsigned launches = 0;
  };

  json compare(const technique& t, const std::string& variant, copse::gpu_solver& switched) {
    const auto& graph = t.lists ? *list_ : *rows_;
    std::array<side, 2> sides{{{plain_}, {switched}}};
    for (unsigned trial = 0; trial < trials_; ++trial) {
      for (unsigned turn = 0; turn < 2; ++turn) {
        side& one = sides[(turn + trial) % 2];
        if (!one.samples.empty() && one.samples.front() > slow_seconds) continue;
        solve(one, graph, variant);
        if (one.samples.size() == 1 && one.samples.front() < quick_seconds) {
          one.samples.clear();
          solve(one, graph, variant);
        }
      }
    }
    const double without = median(sides[0].samples), with = median(sides[1].samples);
    fmt::print(stderr, "{:10} {:11} {:36} {:10.3f} {:10.3f} ms  {:6.2f}x  {} {}\n", copse::bench::short_name(name_), t.name, variant,
               without * 1e3, with * 1e3, without / with, sides[0].launches, sides[1].launches);
    return {{"technique", t.name},          {"variant", variant},        {"input", t.lists ? "coo" : "csr"},
            {"without", as_json(sides[0])}, {"with", as_json(sides[1])}, {"gain", without / with}};
  }

  void solve(side& one, const copse::gpu_solver::resident_graph& graph, const std::string& variant) {
    const auto labels = one.solver.solve(graph, {.variant = variant});
    if (one.solver.checksum(labels) != checksum_) throw std::runtime_error{name_ + ", " + variant + ": found other labels"};
    one.samples.push_back(labels.report().solve_seconds);
    one.launches = labels.report().launches;
  }

  static json as_json(const side& one) { return {{"median", median(one.samples)}, {"samples", one.samples}, {"launches", one.launches}}; }

  std::string name_;
  unsigned trials_;
  copse::gpu_solver plain_{{.short_fetches = true}};
  std::optional<copse::gpu_solver::resident_graph> rows_, list_;
  std::uint64_t edges_ = 0, vertices_ = 0, checksum_ = 0, components_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(
      argc, argv, "copse_bench_techniques_gpu", "GRAPH...", {{"trials", "7"}, {"json", ""}},
      [](const copse::bench::benchmark_arguments& asked) {
        json head = copse::bench::result_on_gpu("techniques_gpu");
        head["trials"] = asked.number("trials");
        copse::bench::measure_each(asked, head, [&](const std::string& name) { return graph_bench{name, asked.number("trials")}.run(); });
      });
}
