#include <variants/gpu_choice.hpp>

#include <fmt/format.h>
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <copse/options.hpp>
#include <copse/views.hpp>
#include <variants/added.hpp>
#include <variants/cuda.hpp>
#include <variants/gpu_shapes.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace copse::variant {

// Where only the sizes of rows are known: from about 3.5 arcs per vertex up, hook-based sampling leaves few arcs to the finish; below that
// density, sampling itself reads most arcs (measured on an H200: with sampling, lattices and graphs with a giant are solved 1.3 to 15 times
// as fast, but roads and small clusters take 2.4 to 3 times as long). In sorted rows that store both directions, the fast path learns from
// the first two arcs which rows need more work; below that density few do.
//
// If rows can be examined, a sample of them shows the shape of the graph, by which gpu_shapes.cpp chooses. For a spanning forest of sorted
// rows the choice is always the fast path, which records its links at less cost than the other variants; the sample of the rows decides
// whether it skips a giant. Vertices without arcs do not count: R-MAT graphs of two arcs per vertex are sampled (4.7 times as fast as
// without).

namespace {

constexpr double sampling_density = 3.5;
// The density, in arcs per vertex, from which a variant with a sampler is chosen for sorted rows of more than least_in_flight and at most
// most_in_flight vertices. So few vertices are all in flight at once: if there is a giant, variants without a sampler take three times as
// long, because all threads swap the same few roots. Measured on an H100, at 3 arcs per vertex; for cliques, which have no giant, sampling
// costs a tenth of the time.
constexpr double sampling_density_in_flight = 2.95;
constexpr std::uint64_t least_in_flight = std::uint64_t{1} << 18, most_in_flight = std::uint64_t{1} << 21;
constexpr double hub_density = 2.8;  ///< from this number of arcs per vertex with arcs up, a graph with hubs has a giant around them
constexpr const char* unsampled_variant = "cuda.none.rem_cas.naive.halve_one";

using row_sample = std::optional<backend::row_sample>;

double density_of(std::uint64_t vertices, std::uint64_t arcs) { return static_cast<double>(arcs) / static_cast<double>(vertices); }

double least_sampled_density(std::uint64_t n, bool sorted) {
  return sorted && n > least_in_flight && n <= most_in_flight ? sampling_density_in_flight : sampling_density;
}

/// Returns the choice for a spanning forest of symmetric rows that were sampled. `density`: without vertices that have no arcs.
choice for_sampled_forest(std::uint64_t n, double density, bool sorted, const std::string& seen, const backend::row_sample& sample) {
  if (density >= least_sampled_density(n, sorted)) return {"cuda.hb.fast", seen + ": rows long enough to sample and skip the giant"};
  const double hub_arcs = sample.mean_arcs_met();
  if (hub_arcs >= hub_ratio * density && hub_arcs >= star_share * static_cast<double>(n))
    return {"cuda.hb.fast", seen + ", as in a star: skip the giant"};
  if (hub_arcs >= hub_ratio * density && density >= hub_density) return {"cuda.hb.fast", seen + ", hubs: sample and skip the giant"};
  return {sorted ? "cuda.none.fast" : unsampled_variant, seen + ": a sample would read most arcs; unite all as they stand"};
}

choice for_sampled_rows(std::uint64_t n, double density, bool sorted, std::string seen, const backend::row_sample& sample,
                        problem_kind problem) {
  const double without = sample.share_without_arcs(), of_others = density / (1 - without);
  if (without >= 1) return {sorted ? "cuda.none.fast" : unsampled_variant, seen + ": hardly any vertex has arcs; unite all as they stand"};
  if (without > 0) seen += fmt::format(", {:.0f} % of a sample without arcs and {:.1f} per other vertex", 100 * without, of_others);
  return problem == problem_kind::components ? for_shape_on_gpu(n, of_others, sorted, sample, seen)
                                             : for_sampled_forest(n, of_others, sorted, seen, sample);
}

choice for_rows(std::uint64_t n, std::uint64_t arcs, bool symmetric, bool sorted, const row_sample& sample, problem_kind problem) {
  if (n == 0) return {"cuda.none.fast", "GPU, rows, no vertices"};
  const double density = density_of(n, arcs);
  const auto seen = fmt::format("GPU, rows, {} vertices, {} arcs ({:.1f} per vertex)", n, arcs, density);
  if (!symmetric) return {unsampled_variant, seen + ": one direction of edges may be missing; unite all as they stand"};
  if (sample) return for_sampled_rows(n, density, sorted, seen, *sample, problem);
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

bool sample_decides(const graph_view& view, const std::string& name) {
  return name == "auto" && std::visit(
                               [](const auto& g) {
                                 if constexpr (requires { g.offsets; })
                                   return g.symmetric == symmetry::yes && g.vertices() > most_for_one_launch &&
                                          density_of(g.vertices(), g.arcs()) < least_sampled_density(g.vertices(), g.sorted);
                                 return false;
                               },
                               view);
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
    const bool may_be_unsampled = static_cast<double>(arcs) < most_unsampled_density * static_cast<double>(vertices);
    if (name == "auto" && problem == problem_kind::components && may_be_unsampled) return std::string{"cuda.none.fast"};
    if (name == "auto") return on_gpu(vertices, arcs).variant;
    return gconn_default(graph_view{csr_view<std::uint32_t, std::uint32_t>{}}, cuda_name).variant;  // its choice is the same for all rows
  };
  return gpu_variant_named(picked(), input_kind::csr, problem);
}

namespace {

bool waits_for_gpu(const table_entry& entry) {
  const finish_entry& finish = finish_at(entry.finish);
  return !finish.traits.fast_path && (entry.info.sampler != "none" || !finish.unites);
}

}  // namespace

void expect_no_waits(const table_entry& entry) {
  if (!waits_for_gpu(entry)) return;
  throw usage_error{entry.info.name +
                    " cannot be enqueued, because it waits for the GPU between its steps; use auto, cuda.hb.fast, "
                    "cuda.none.fast or a union-find rule without a sampler"};
}

chosen_gpu_variant enqueued_gpu_variant(graph_view view, const std::string& name, const known_rows& known) {
  auto chosen = gpu_variant_for(view, name, problem_kind::components, known);
  if (name == "auto" && waits_for_gpu(*chosen.chosen)) return gpu_variant_for(view, name);  // by sizes only
  expect_no_waits(*chosen.chosen);
  return chosen;
}

}  // namespace copse::variant
