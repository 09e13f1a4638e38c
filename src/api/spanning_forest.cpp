// spanning_forest(): checks the view, chooses a variant, runs it, and measures its time.
#include <api/check_view.hpp>
#include <api/through_gpus.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/spanning_forest.hpp>
#include <core/devices.hpp>
#include <core/phase_times.hpp>
#include <device/gpus.hpp>
#include <variants/choice.hpp>
#include <variants/cuda.hpp>
#include <variants/forest_code.hpp>
#include <variants/table.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;

/// Streams a graph that does not fit the GPU through it in pieces. `why`: the text of the error that says how many bytes of the GPU's
/// memory are free and how many the graph needs.
buffer<edge<std::uint32_t>> stream_through_gpu(graph_view g, const std::string& why, std::span<std::uint32_t> labels,
                                               const solve_request& options, solve_report& report, phase_times& times) {
  auto passed = device::forest_by_streaming(g, labels, {{.keep_forest = true}, options.on()});
  for (const phase& p : passed.report.phases) times.add(p.name, p.seconds);
  report.variant = passed.report.variant;
  report.explanation = api::streaming_explanation(why, 1, api::joining_edges_kept);
  report.device = passed.report.device;
  report.copy_seconds = passed.report.copy_seconds;
  return std::move(passed.edges);
}

/// Solves by a variant of cuda: copies the graph to the GPU, and the forest back.
template <class View, class Id>
buffer<edge<Id>> solve_on_gpu(const std::string& variant, View g, std::span<Id> labels, const solve_request& options, solve_report& report,
                              phase_times& times) {
  if constexpr (sizeof(Id) != sizeof(std::uint32_t)) {
    variant::refuse_wide_ids();
  } else {
    const auto start = clock::now();
    solve_options named = options.options();
    named.variant = variant;
    named.with_labels = !labels.empty();
    std::optional<gpu_graph> resident;
    try {
      const phase_timer time{times, "copy in"};
      resident = gpu_graph::copy_of(g, {.variant = variant, .problem = problem_kind::forest}, without_stream(options.on()));
    } catch (const resource_error& no_room) {
      if (options.variant != "auto" || gpus().empty()) throw;
      return stream_through_gpu(graph_view{g}, no_room.what(), labels, options, report, times);
    }
    const gpu_spanning_forest solved = spanning_forest(*resident, named, options.on());
    for (const phase& p : solved.report().phases) times.add(p.name, p.seconds);
    buffer<edge<Id>> edges{solved.edges_on_device().size(), options.memory};
    {
      const phase_timer time{times, "copy out"};
      solved.copy_out(edges.span(), labels);
    }
    report.device = solved.report().device;
    report.copy_seconds = std::chrono::duration<double>(clock::now() - start).count() - solved.report().solve_seconds;
    return edges;
  }
}

template <class Id>
buffer<edge<Id>> solve_on_cpu(const variant::table_entry& chosen, const backend::arc_set<Id>& graph, std::span<Id> labels,
                              const solve_request& options, phase_times& times) {
  buffer<edge<Id>> edges;
  variant::for_each_type(variant::backends{}, [&]<class Backend>() {
    if (chosen.info.backend == Backend::name)
      edges = variant::forest_code<Backend, Id>::run(chosen.sampler, chosen.finish, graph, labels, options, times);
  });
  return edges;
}

/// Finds the forest of any view. `labels`: one element per vertex, or empty if no labels are wanted.
template <class Id>
buffer<edge<Id>> solve_into(graph_view whole, std::span<Id> labels, const solve_request& options, solve_report& report) {
  const auto choice = variant::choose_variant(whole, options, problem_kind::forest, report);
  const auto start = clock::now();
  phase_times times;
  buffer<edge<Id>> edges;
  std::visit(
      [&]<class View>(const View& g) {
        if constexpr (std::is_same_v<typename View::id_type, Id>) {
          variant::with_directions(*choice.chosen, g, options, times, [&](auto both) {
            edges = choice.chosen->info.backend == variant::cuda_name
                        ? solve_on_gpu(choice.chosen->info.name, both, labels, options, report, times)
                        : solve_on_cpu(*choice.chosen, backend::arc_set<Id>{both}, labels, options, times);
          });
        }
      },
      choice.view);
  report.solve_seconds = choice.choosing_seconds + std::chrono::duration<double>(clock::now() - start).count() - report.copy_seconds;
  report.phases = times.all();
  return edges;
}

std::string streamed_explanation(const solve_request& options) {
  return api::streaming_explanation("several GPUs", device::gpus_of(options).size(), api::joining_edges_kept);
}

forest_result solve_view(graph_view whole, const vertex_names& names, const solve_request& options) {
  api::expect_forest_possible(options);
  if (devices_of(options).several()) {
    api::expect_streamed_variant(options);
    forest_result result = api::spanning_forest_through_gpus(whole, names, {{}, options.on()}, options.with_labels);
    result.report.explanation = streamed_explanation(options);
    return result;
  }
  return std::visit(
      [&]<class View>(const View& g) {
        using id = typename View::id_type;
        const View valid = api::checked(g, options);
        buffer<id> labels{options.with_labels ? std::size_t{g.vertices()} : 0, options.memory};
        forest_result result;
        result.edges = graph{coo<id>{g.vertices(), solve_into(graph_view{valid}, labels.span(), options, result.report)}, names};
        if (options.with_labels) result.labels.emplace(std::move(labels), names);
        return result;
      },
      whole);
}

/// Returns the view checked. Throws usage_error if `edges` or `labels` has no room for the answer. `most`: the number of edges or arcs of
/// the graph.
template <class View, class Id>
View checked_with_room(View g, std::uint64_t most, std::span<edge<Id>> edges, std::span<Id> labels, const solve_request& options) {
  api::expect_forest_possible(options);
  const std::uint64_t n = g.vertices();
  const std::uint64_t room = std::min(n == 0 ? 0 : n - 1, most);
  if (edges.size() < room) {
    throw usage_error{"edges must have room for " + std::to_string(room) + " elements, not " + std::to_string(edges.size())};
  }
  if (!labels.empty() && labels.size() != n) {
    throw usage_error{"labels must be empty or have one element per vertex, " + std::to_string(n) + ", not " +
                      std::to_string(labels.size())};
  }
  return api::checked(g, options);
}

template <class Id>
buffer<edge<Id>> stream_through_gpus(graph_view valid, std::span<Id> labels, const solve_request& options, solve_report& report) {
  api::expect_streamed_variant(options);
  if constexpr (sizeof(Id) != sizeof(std::uint32_t)) {
    variant::refuse_wide_ids();
  } else {
    auto found = device::forest_by_streaming(valid, labels, {{.keep_forest = true}, options.on()});
    report = std::move(found.report);
    report.explanation = streamed_explanation(options);
    return std::move(found.edges);
  }
}

template <class Id>
forest_summary solve_valid(graph_view valid, std::span<edge<Id>> edges, std::span<Id> labels, const solve_request& options) {
  forest_summary summary;
  const auto found = devices_of(options).several() ? stream_through_gpus(valid, labels, options, summary.report)
                                                   : solve_into(valid, labels, options, summary.report);
  summary.edge_count = found.size();
  backend::threads{usable_threads(options.threads), nullptr}.for_blocks(
      found.size(),
      [from = found.data(), to = edges.data()](std::size_t begin, std::size_t end) { std::copy(from + begin, from + end, to + begin); });
  return summary;
}

}  // namespace

std::uint64_t forest_result::edge_count() const noexcept {
  return std::visit(
      [](const auto& shape) -> std::uint64_t {
        if constexpr (requires { shape.edges; }) {
          return shape.edges.size();
        } else {
          return 0;  // unreachable: the edges of a forest are stored as a list, never as rows
        }
      },
      edges.shape());
}

forest_result spanning_forest(const graph& g, const solve_options& options, const execution& on) {
  return solve_view(g.view(), g.names(), {options, on});
}

forest_result spanning_forest(graph_view g, const solve_options& options, const execution& on) {
  const auto n = std::visit([](const auto& shape) { return std::uint64_t{shape.vertices()}; }, g);
  return solve_view(g, vertex_names::identity(n), {options, on});
}

template <unsigned_index Id, unsigned_index Offset>
forest_summary spanning_forest(csr_view<Id, Offset> g, std::span<edge<Id>> edges, std::span<Id> labels, const solve_options& options,
                               const execution& on) {
  const solve_request asked{options, on};
  return solve_valid(graph_view{checked_with_room(g, g.targets.size(), edges, labels, asked)}, edges, labels, asked);
}

template <unsigned_index Id>
forest_summary spanning_forest(coo_view<Id> g, std::span<edge<Id>> edges, std::span<Id> labels, const solve_options& options,
                               const execution& on) {
  const solve_request asked{options, on};
  return solve_valid(graph_view{checked_with_room(g, g.edges.size(), edges, labels, asked)}, edges, labels, asked);
}

template <unsigned_index Id>
forest_summary spanning_forest(edge_columns_view<Id> g, std::span<edge<Id>> edges, std::span<Id> labels, const solve_options& options,
                               const execution& on) {
  const solve_request asked{options, on};
  const auto pairs = api::interleaved(checked_with_room(g, g.sources.size(), edges, labels, asked), asked);
  return solve_valid(graph_view{coo_view<Id>{g.vertex_count, pairs.span(), true}}, edges, labels, asked);
}

using narrow_edges = std::span<edge<std::uint32_t>>;
using wide_edges = std::span<edge<std::uint64_t>>;
using narrow_labels = std::span<std::uint32_t>;
using wide_labels = std::span<std::uint64_t>;
template forest_summary spanning_forest(csr_view<std::uint32_t, std::uint32_t>, narrow_edges, narrow_labels, const solve_options&,
                                        const execution&);
template forest_summary spanning_forest(csr_view<std::uint32_t, std::uint64_t>, narrow_edges, narrow_labels, const solve_options&,
                                        const execution&);
template forest_summary spanning_forest(csr_view<std::uint64_t, std::uint64_t>, wide_edges, wide_labels, const solve_options&,
                                        const execution&);
template forest_summary spanning_forest(coo_view<std::uint32_t>, narrow_edges, narrow_labels, const solve_options&, const execution&);
template forest_summary spanning_forest(coo_view<std::uint64_t>, wide_edges, wide_labels, const solve_options&, const execution&);
template forest_summary spanning_forest(edge_columns_view<std::uint32_t>, narrow_edges, narrow_labels, const solve_options&,
                                        const execution&);
template forest_summary spanning_forest(edge_columns_view<std::uint64_t>, wide_edges, wide_labels, const solve_options&, const execution&);

}  // namespace copse
