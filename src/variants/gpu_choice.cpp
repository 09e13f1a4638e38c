#include <variants/gpu_choice.hpp>

#include <fmt/format.h>
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <copse/options.hpp>
#include <copse/views.hpp>
#include <variants/added.hpp>
#include <variants/cuda.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace copse::variant {

// From about 3.5 arcs per vertex up, hook-based sampling leaves few arcs to the finish; below that density, sampling itself reads most arcs
// (measured on an H200: with sampling, lattices and graphs with a giant are solved 1.3 to 15 times as fast, but roads and small clusters
// take 2.4 to 3 times as long). In sorted rows that store both directions, the fast path learns from the first two arcs which rows need
// more work; below that density few do.
//
// Vertices without arcs do not count here, so if rows can be examined, a sample of them tells how many such vertices there are: R-MAT
// graphs of two arcs per vertex are sampled (4.7 times as fast as without). Below the limit, the sample identifies more kinds of graphs
// that a variant of the table solves faster than the fast path (docs/measurements/gpu.md): sparse random graphs, whose hooks make deeper
// trees than unites that shorten paths from the start; webs, whose hooks are on long chains of near vertices; trees with hubs, whose long
// rows unite with one vertex after the other; and graphs without runs of adjacent vertices, if they are local, or so small that each saved
// kernel counts. Hubs with enough arcs and stars are sampled. Unsorted rows along a path are sampled, because the first hook flattens
// tiles, and for the same reason roads take the unsampled fast path.

namespace {

constexpr double sampling_density = 3.5;
// The density from which sorted rows are sampled if they have more than least_in_flight and at most most_in_flight vertices. So few
// vertices are all in flight at once: if there is a giant, unites without a sample take three times as long, because all threads swap the
// same few roots. Measured on an H100, at 3 arcs per vertex; for cliques, which have no giant, sampling costs a tenth of the time.
constexpr double sampling_density_in_flight = 2.95;
constexpr std::uint64_t least_in_flight = std::uint64_t{1} << 18, most_in_flight = std::uint64_t{1} << 21;
// Densities without vertices that have no arcs. On random graphs the fast path is 5 % faster than unites at 1.9 arcs per vertex, and slower
// at 2.3 and 2.7.
constexpr double hub_density = 2.8, least_random_density = 2.1, most_random_density = 2.9;
constexpr double random_without_arcs = .05;  ///< at least this share of the vertices of such a random graph has no arcs
/// with hubs, rows to which arcs lead are at least this many times as long as the mean row; in random graphs 1.5 times
constexpr double hub_ratio = 2.2;
constexpr double star_share = 1. / 16;  ///< in a star, rows to which arcs lead have at least this share of the vertices
// For unsorted rows: the share of neighbours that are adjacent, at least along a path, and at least and at most along roads, where vertices
// between two crossings are numbered in order. Clusters of a few vertices have as many adjacent neighbours as paths, but fewer arcs.
constexpr double path_adjacent = .95, least_path_density = 1.9, least_road_adjacent = .4, most_road_adjacent = .6;
// Graphs with a smaller share of adjacent neighbours have no runs of vertices that a first hook could use. Measured with at least
// least_compared vertices, and with at most most_in_flight if neighbours are far; with near neighbours in sorted rows only.
constexpr double most_scattered_adjacent = .1;
constexpr std::uint64_t least_compared = std::uint64_t{1} << 17;
// A graph is taken for a tree with hubs if it has at most this density, and if rows to which arcs lead are on average near_tree_ratio times
// as long as the mean row and neighbours are near, or tree_ratio times as long.
constexpr double most_tree_density = 2.05, near_tree_ratio = 8, tree_ratio = 64;
constexpr const char* unsampled_variant = "cuda.none.rem_cas.naive.halve_one";
constexpr const char* compared_parents = "cuda.none.afforest";
constexpr const char* two_arcs_first = "cuda.kout.afforest";

using row_sample = std::optional<backend::row_sample>;

double least_sampled_density(std::uint64_t n, bool sorted) {
  return sorted && n > least_in_flight && n <= most_in_flight ? sampling_density_in_flight : sampling_density;
}

/// Returns the choice for symmetric rows that were sampled.
choice for_sampled_rows(std::uint64_t n, double density, bool sorted, std::string seen, const backend::row_sample& sample,
                        problem_kind problem) {
  const bool by_table = problem == problem_kind::components;
  const char* const unsampled = sorted ? "cuda.none.fast" : unsampled_variant;
  const double without = sample.share_without_arcs();
  if (without >= 1) return {unsampled, seen + ": hardly any vertex has arcs; unite all as they stand"};
  const double of_others = density / (1 - without);
  if (without > 0) seen += fmt::format(", {:.0f} % of a sample without arcs and {:.1f} per other vertex", 100 * without, of_others);
  const choice long_rows{"cuda.hb.fast", seen + ": rows long enough to sample and skip the giant"};
  if (of_others >= sampling_density) return long_rows;
  const double hub_arcs = sample.mean_arcs_met();
  const bool hubs = hub_arcs >= hub_ratio * of_others;
  const bool star = hubs && hub_arcs >= star_share * static_cast<double>(n);
  if (star) return {"cuda.hb.fast", seen + ", as in a star: skip the giant"};
  if (hubs && of_others >= hub_density) {
    if (by_table && sorted && sample.leads_nearby())
      return {two_arcs_first, seen + ", hubs and near neighbours: unite two arcs per vertex, then skip the giant"};
    return {"cuda.hb.fast", seen + ", hubs: sample and skip the giant"};
  }
  if (of_others >= least_sampled_density(n, sorted)) return long_rows;
  if (!sorted && of_others >= least_path_density && sample.share_adjacent() >= path_adjacent)
    return {"cuda.hb.fast", seen + ", rows in no order along a path: flatten its stretches first"};
  if (!sorted && sample.share_adjacent() >= least_road_adjacent && sample.share_adjacent() <= most_road_adjacent)
    return {"cuda.none.fast", seen + ", rows in no order along roads: flatten their stretches first"};
  if (by_table && of_others <= most_tree_density && hub_arcs >= (sample.leads_nearby() ? near_tree_ratio : tree_ratio) * of_others)
    return {unsampled_variant, seen + ", trees with hubs: unite all, paths are shortened on the way"};
  if (by_table && !hubs && without >= random_without_arcs && of_others >= least_random_density && of_others < most_random_density)
    return {unsampled_variant, seen + ", no hubs: unite all, paths are shortened on the way"};
  const bool is_local_or_small = sample.leads_nearby() ? sorted : n <= most_in_flight;
  if (by_table && !hubs && n >= least_compared && is_local_or_small && sample.share_adjacent() < most_scattered_adjacent)
    return {compared_parents, seen + ", few adjacent neighbours: unite all in one kernel, parents are compared first"};
  return {unsampled, seen + ": a sample would read most arcs; unite all as they stand"};
}

choice for_rows(std::uint64_t n, std::uint64_t arcs, bool symmetric, bool sorted, const row_sample& sample, problem_kind problem) {
  if (n == 0) return {"cuda.none.fast", "GPU, rows, no vertices"};
  const double density = static_cast<double>(arcs) / static_cast<double>(n);
  const auto seen = fmt::format("GPU, rows, {} vertices, {} arcs ({:.1f} per vertex)", n, arcs, density);
  if (!symmetric) return {unsampled_variant, seen + ": one direction of edges may be missing; unite all as they stand"};
  const bool is_looked_at = sample && density < sampling_density;
  if (is_looked_at) return for_sampled_rows(n, density, sorted, seen, *sample, problem);
  if (density >= least_sampled_density(n, sorted)) return {"cuda.hb.fast", seen + ": rows long enough to sample and skip the giant"};
  return {sorted ? "cuda.none.fast" : unsampled_variant, seen + ": a sample would read most arcs; unite all as they stand"};
}

row_sample sample_in_host_memory(graph_view view, std::uint64_t seed) {
  return std::visit(
      [seed]<class View>(const View& g) -> row_sample {
        if constexpr (requires { g.offsets; }) {
          return backend::sample_of(backend::any_rows<typename View::id_type>{g}, seed);
        } else {
          return std::nullopt;
        }
      },
      view);
}

}  // namespace

choice on_gpu(std::string_view chooser, graph_view in_host_memory, std::uint64_t seed, problem_kind problem) {
  if (chooser == "gconn_tree") return gconn_tree(in_host_memory, seed, "cuda");
  return chooser == "gconn_default" ? gconn_default(in_host_memory, "cuda")
                                    : on_gpu(in_host_memory, sample_in_host_memory(in_host_memory, seed), problem);
}

choice on_gpu(std::uint64_t vertices, std::uint64_t arcs) {
  return for_rows(vertices, arcs, true, true, std::nullopt, problem_kind::components);
}

choice on_gpu(graph_view view, const row_sample& sample, problem_kind problem) {
  return std::visit(
      [&sample, problem](const auto& g) -> choice {
        if constexpr (requires { g.offsets; }) {
          return for_rows(g.vertices(), g.arcs(), g.symmetric == symmetry::yes, g.sorted, sample, problem);
        } else {
          return {unsampled_variant,
                  fmt::format("GPU, edge list, {} vertices, {} edges: unite all edges as they stand", g.vertices(), g.edges.size())};
        }
      },
      view);
}

namespace {

const table_entry& gpu_variant_named(const std::string& name, input_kind input, problem_kind problem) {
  if (is_hybrid(name))
    throw usage_error{name + " also needs the rows of the CPU's share in host memory; use the call that takes them, or a variant of cuda"};
  const table_entry* named = find_entry(name, input, problem);
  if (named == nullptr) throw usage_error{*refusal(name, input, problem)};
  if (named->info.backend != cuda_name) refuse_cpu_variant(named->info.name);
  return *named;
}

input_kind narrow_input(graph_view view) {
  return std::visit(
      []<class View>(const View&) {
        if constexpr (sizeof(typename View::id_type) != sizeof(std::uint32_t)) refuse_wide_ids();
        return requires(View g) { g.offsets; }
        ? input_kind::csr : input_kind::coo;
      },
      view);
}

}  // namespace

chosen_gpu_variant gpu_variant_for_host(graph_view in_host_memory, const std::string& name, problem_kind problem) {
  choice chosen{name, {}};
  if (is_chooser(name)) chosen = on_gpu(name, in_host_memory, solve_options{}.seed, problem);
  const input_kind input = narrow_input(in_host_memory);
  return {&gpu_variant_named(chosen.variant, input, problem), std::move(chosen.explanation)};
}

chosen_gpu_variant gpu_variant_for(graph_view view, const std::string& name, problem_kind problem, const known_rows& known) {
  choice chosen{name, {}};
  if (name == tree_name) {
    const chosen_gpu_variant& tree = known.tree;
    if (tree.chosen == nullptr)
      throw usage_error{"the variant " + name +
                        " must be named in gpu_graph_options when the graph is copied to the GPU; or use a variant of cuda"};
    chosen = {tree.chosen->info.name, tree.explanation};
  } else if (is_chooser(name)) {
    chosen = name == "auto" ? on_gpu(view, known.sample, problem) : gconn_default(view, cuda_name);
  }
  const input_kind input = narrow_input(view);
  return {&gpu_variant_named(chosen.variant, input, problem), std::move(chosen.explanation)};
}

const table_entry& gpu_variant_ahead(std::uint64_t vertices, std::uint64_t arcs, const std::string& name, problem_kind problem) {
  if (name == tree_name) throw usage_error{"the variant " + name + " needs a graph in host memory, because it looks at the rows"};
  const auto picked = [&] {
    if (!is_chooser(name)) return name;
    if (name == "auto") return on_gpu(vertices, arcs).variant;
    return gconn_default(graph_view{csr_view<std::uint32_t, std::uint32_t>{}}, cuda_name).variant;  // its choice is the same for all rows
  };
  return gpu_variant_named(picked(), input_kind::csr, problem);
}

void expect_no_waits(const table_entry& entry) {
  const finish_entry& finish = finish_at(entry.finish);
  if (finish.traits.fast_path || (entry.info.sampler == "none" && finish.unites)) return;
  throw usage_error{entry.info.name +
                    " cannot be enqueued, because it waits for the GPU between its steps; use auto, cuda.hb.fast, "
                    "cuda.none.fast or a union-find rule without a sampler"};
}

}  // namespace copse::variant
