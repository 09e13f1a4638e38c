// components(): check the view, choose a variant, run it, time it.
#include <api/check_view.hpp>
#include <api/through_gpus.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/extend/in_place.hpp>
#include <core/devices.hpp>
#include <device/counted.hpp>
#include <device/gpus.hpp>
#include <fast/decide.hpp>
#include <fast/solve.hpp>
#include <fast/solve_list.hpp>
#include <hybrid/named.hpp>
#include <plan/auto_device.hpp>
#include <variants/added.hpp>
#include <variants/choice.hpp>
#include <variants/choosers.hpp>
#include <variants/components_code.hpp>
#include <variants/cuda.hpp>
#include <variants/table.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace copse {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

vertex_names identity_of(graph_view view) {
  return vertex_names::identity(std::visit([](const auto& g) { return std::uint64_t{g.vertices()}; }, view));
}

/// For a graph that does not fit the memory of the GPU: streams it through the GPU in pieces. `why`: what did not fit, for the report.
template <class View>
void stream_through_gpu(View g, const std::string& why, std::span<std::uint32_t> labels, const solve_request& options, solve_report& report,
                        phase_times& times) {
  const solve_report passed = device::stream_into(g, labels, {{}, options.on()});
  for (const phase& p : passed.phases) times.add(p.name, p.seconds);
  report.variant = passed.variant;
  report.explanation = api::streaming_explanation(why, 1, api::united_as_they_come);
  report.device = passed.device;
  report.copy_seconds = passed.copy_seconds;
}

/// Solves by a variant of cuda: copies the graph to the GPU, and its labels back. `in_place`: the GPU may overwrite its copy of the list of
/// edges.
template <class View, class Id>
void solve_on_gpu(const variant::table_entry& chosen, View g, std::span<Id> labels, const solve_request& options, solve_report& report,
                  phase_times& times, bool in_place) {
  if constexpr (sizeof(Id) != 4) {
    variant::refuse_wide_ids();
  } else {
    const std::string& variant = chosen.info.name;
    if (options.count) device::expect_counted(variant, chosen.sampler, chosen.finish);  // if it throws, CUDA need not be initialised
    const auto start = std::chrono::steady_clock::now();
    solve_options named = options.options();
    named.variant = variant;
    std::optional<gpu_graph> resident;
    try {
      const phase_timer time{times, "copy in"};
      resident = gpu_graph::copy_of(g, {.variant = variant}, without_stream(options.on()));
    } catch (const resource_error& no_room) {
      if (options.variant != "auto" || gpus().empty()) throw;
      return stream_through_gpu(graph_view{g}, no_room.what(), labels, options, report, times);
    }
    const gpu_labels solved = in_place && !variant::is_rows<View> ? components_in_place(*resident, named, options.on())
                                                                  : components(*resident, named, options.on());
    for (const phase& p : solved.report().phases) times.add(p.name, p.seconds);
    {
      const phase_timer time{times, "copy out"};
      solved.copy_out(labels);
    }
    report.device = solved.report().device;
    report.work = solved.report().work;
    report.copy_seconds = seconds_since(start) - solved.report().solve_seconds;
  }
}

template <class Id>
void solve_counting(const variant::table_entry& chosen, const backend::arc_set<Id>& graph, std::span<Id> labels,
                    const solve_request& options, solve_report& report, phase_times& times) {
  if constexpr (sizeof(Id) == 4) {
    static std::mutex one_at_a_time;  // the counters are global to the process
    const std::lock_guard lock{one_at_a_time};
    const auto run = chosen.info.backend == variant::counting_serial::name ? variant::components_code<variant::counting_serial, Id>::run
                                                                           : variant::components_code<variant::counting_threads, Id>::run;
    run(chosen.sampler, chosen.finish, graph, labels, options, times, &report.work.emplace());
  } else {
    throw usage_error{"count: counting needs 32-bit ids, at most 2^32 - 1 vertices"};
  }
}

/// Solves rows by the fast path, with the sampler that the variant names.
template <class Id, class Offset>
void solve_fast(const variant::table_entry& chosen, csr_view<Id, Offset> g, std::span<Id> labels, std::span<std::uint64_t> bits,
                const solve_request& options, phase_times& times) {
  if (options.count) throw usage_error{"count: the loops of the fast path cannot be counted; choose another variant"};
  fast::fast_report report;
  const fast::fast_options settings{.way = chosen.info.sampler == "none" ? fast::route::unsampled : fast::route::sampled,
                                    .report = &report};
  if (chosen.info.backend == backend::serial::name) {
    fast::solve_fast<backend::serial>(g, labels, bits, options, settings);
  } else {
    fast::solve_fast<backend::threads>(g, labels, bits, options, settings);
  }
  times.add("hook", report.hook_seconds + report.second_hook_seconds);
  times.add("vote", report.vote_seconds);
  times.add("finish", report.flatten_seconds + report.finish_seconds);
  times.add("labels", report.label_seconds);
}

/// Solves lists of edges or columns of ends by the fast path. It checks the ends of edges itself, unless the view is trusted.
template <class View, class Edges, class Id>
void solve_fast_list(std::string_view backend_name, const View& g, const Edges& edges, std::span<Id> labels, std::span<std::uint64_t> bits,
                     const solve_request& options) {
  if (options.count) throw usage_error{"count: the loops of the fast path cannot be counted; choose another variant"};
  const fast::list_options settings{.look_at_ends = !g.trusted};
  try {
    if (backend_name == backend::serial::name) {
      fast::solve_list(backend::serial{1, options.observer}, edges, labels, bits, options, settings);
    } else {
      fast::solve_list(backend::threads{options.threads, options.observer}, edges, labels, bits, options, settings);
    }
  } catch (const fast::unknown_end&) {
    api::checked(g, options);  // checks all edges again, and throws an error that names the wrong one
    throw usage_error{"graph: the edge array was modified during the call"};
  }
}

template <class View, class Id>
void solve_variant(const variant::table_entry& chosen, View g, std::span<Id> labels, std::span<std::uint64_t> bits,
                   const solve_request& options, solve_report& report, phase_times& times, edge<Id>* writable) {
  if (chosen.info.backend == variant::cuda_name) return solve_on_gpu(chosen, g, labels, options, report, times, writable != nullptr);
  if (variant::finish_at(chosen.finish).traits.fast_path) {
    if constexpr (variant::is_rows<View>) {
      return solve_fast(chosen, g, labels, bits, options, times);
    } else {
      return solve_fast_list(chosen.info.backend, g, g.edges, labels, bits, options);
    }
  }
  if constexpr (!variant::is_rows<View>) g = api::checked(g, options);  // looked_at() may have left the ends of edges unchecked
  backend::arc_set<Id> arcs{g};
  if constexpr (!variant::is_rows<View>) arcs.writable = writable;
  if (options.count) return solve_counting(chosen, arcs, labels, options, report, times);
  variant::for_each_type(variant::backends{}, [&]<class Backend>() {
    if (chosen.info.backend != Backend::name) return;
    variant::components_code<Backend, Id>::run(chosen.sampler, chosen.finish, arcs, labels, options, times);
  });
}

/// Solves any view into `labels`. `bits`: working memory for the fast path, or empty. `writable`: the first edge of a list that may be
/// overwritten, or null.
template <class Id>
solve_report solve_into(graph_view whole, std::span<Id> labels, std::span<std::uint64_t> bits, const solve_request& options,
                        edge<Id>* writable = nullptr) {
  solve_report report;
  const auto choice = variant::choose_variant(whole, options, problem_kind::components, report);
  const auto start = std::chrono::steady_clock::now();
  phase_times times;
  std::visit(
      [&]<class View>(const View& g) {
        if constexpr (std::is_same_v<typename View::id_type, Id>) {
          variant::with_directions(*choice.chosen, g, options, times,
                                   [&](auto both) { solve_variant(*choice.chosen, both, labels, bits, options, report, times, writable); });
        }
      },
      choice.view);
  report.solve_seconds = choice.choosing_seconds + seconds_since(start) - report.copy_seconds;
  report.phases = times.all();
  return report;
}

/// Returns the view checked, except for the edges of lists that auto solves: there the fast path checks edges just before it unites them.
/// The variants that auto chooses for lists build no rows, so that unchecked edges are not used before.
template <class View>
View looked_at(View g, const solve_request& options) {
  if (variant::is_rows<View> || g.trusted || options.variant != "auto" || gpu_of(options)) return api::checked(g, options);
  g.trusted = true;
  g = api::checked(g, options);  // for a trusted view, checks only that columns have the same size, and no ends of edges
  g.trusted = false;
  return g;
}

/// The options for the CPU and a GPU together: auto becomes a variant of hybrid, and variants of other kinds are refused.
solve_request with_hybrid_variant(solve_request options) {
  if (const named_devices named = devices_of(options); !named.gpus.empty() && !named.hybrid && is_hybrid(options.variant))
    throw usage_error{"device " + options.device + " needs a variant of cuda or auto, not " + options.variant};
  if (!devices_of(options).hybrid || is_hybrid(options.variant)) return options;
  if (options.variant != "auto")
    throw usage_error{"device " + options.device + " needs a variant of hybrid or auto, not " + options.variant};
  options.variant = hybrid::auto_name;
  return options;
}

std::string streamed_explanation(const solve_request& options) {
  return api::streaming_explanation("several GPUs", device::gpus_of(options).size(), api::united_as_they_come);
}

/// Calls solve(on) with the device that auto chooses for a graph of that size. `id_bytes`: the size of its ids in memory.
template <class Solve>
auto solve_on_chosen(const graph_size& size, std::size_t id_bytes, const solve_request& asked, Solve solve) {
  const auto choose = [&]() -> device_choice {
    if (id_bytes != sizeof(std::uint32_t)) return {.reason = "the CPU, as 64-bit ids do not run on a GPU"};
    return device_for(size, asked);
  };
  return plan::solve_on_chosen(asked, choose, solve);
}

components_result solve_view(graph_view whole, const vertex_names& names, const solve_request& asked) {
  if (devices_of(asked).by_cost) {
    const std::size_t id_bytes = std::visit([](const auto& g) { return sizeof(g.vertices()); }, whole);
    return solve_on_chosen(size_of_graph(whole), id_bytes, asked, [&](const execution& on) {
      return solve_view(whole, names, {asked.options(), on});
    });
  }
  const solve_request options = with_hybrid_variant(asked);
  if (devices_of(options).several()) {
    api::expect_streamed_variant(options);
    components_result result = api::components_through_gpus(whole, names, {{}, options.on()});
    result.report.explanation = streamed_explanation(options);
    return result;
  }
  if (is_hybrid(options.variant)) return hybrid::solve(whole, names, options);
  return std::visit(
      [&]<class View>(const View& g) {
        auto labels = fast::labels_with_bits<typename View::id_type>(g.vertices(), options.memory);
        components_result result;
        result.report = solve_into(graph_view{looked_at(g, options)}, labels.span(), fast::bits_behind(labels), options);
        result.labels = labelling{std::move(labels), names};
        return result;
      },
      whole);
}

/// Returns an error text if auto is to solve on a GPU that has no room for these edges, otherwise an empty string. It is called before the
/// two columns are copied into one array of edges, as the GPU needs them.
std::string too_large_for_gpu(edge_columns_view<std::uint32_t> edges, const solve_request& options) {
  const std::optional<unsigned> asked = gpu_of(options);
  if (options.variant != "auto" || !asked) return {};
  const coo_view<std::uint32_t> list{edges.vertices(), {static_cast<const edge<std::uint32_t>*>(nullptr), edges.sources.size()}};
  const std::uint64_t needed = gpu_graph::bytes_needed(list);
  // No GPU has less memory than this. Asking how much is free initialises CUDA on all GPUs, so small graphs do without.
  constexpr std::uint64_t any_gpu_has = std::uint64_t{1} << 30;
  if (needed <= any_gpu_has) return {};
  for (const gpu_facts& gpu : gpus()) {
    if (gpu.index != *asked) continue;
    const std::uint64_t room = std::min(gpu.free_bytes, options.gpu_memory);
    if (needed <= room) return {};
    return "cuda:" + std::to_string(gpu.index) + ": found " + std::to_string(room) + " bytes free, expected " + std::to_string(needed);
  }
  return {};
}

template <class View, class Id>
void expect_labels(const View& g, std::span<Id> labels, const solve_request& options) {
  const std::string variant = with_hybrid_variant(options).variant;
  if (is_hybrid(variant)) throw usage_error{variant + " cannot write into the caller's labels; call the overload that returns them"};
  if (labels.size() != g.vertices()) {
    throw usage_error{"labels must have one element per vertex, " + std::to_string(g.vertices()) + ", not " +
                      std::to_string(labels.size())};
  }
}

template <class View, class Id>
solve_report stream_through_gpus(View g, std::span<Id> labels, const solve_request& options) {
  api::expect_streamed_variant(options);
  if constexpr (sizeof(Id) != 4) {
    variant::refuse_wide_ids();
  } else {
    solve_report report = device::stream_into(api::checked(g, options), labels, {{}, options.on()});
    report.explanation = streamed_explanation(options);
    return report;
  }
}

/// Solves the caller's rows or list into the caller's labels. `writable`: the first edge of a list that may be overwritten, or null.
template <class View, class Id>
solve_report solve_typed(View g, std::span<Id> labels, const solve_request& options, edge<Id>* writable = nullptr) {
  expect_labels(g, labels, options);
  if (devices_of(options).by_cost) {
    return solve_on_chosen(size_of_graph(g), sizeof(Id), options, [&](const execution& on) {
      return solve_typed(g, labels, {options.options(), on}, writable);
    });
  }
  if (devices_of(options).several()) return stream_through_gpus(g, labels, options);
  return solve_into(graph_view{looked_at(g, options)}, labels, {}, options, writable);
}

}  // namespace

std::uint64_t components_result::count() const noexcept {
  return std::visit(
      [this]<class Id>(const buffer<Id>& values) -> std::uint64_t {
        std::uint64_t found = 0;
        if (labels.is_numbered()) {  // labels are 0 .. k - 1, or no_vertex for an id that does not occur, which becomes 0 when 1 is added
          for (const Id number : values) found = std::max<std::uint64_t>(found, static_cast<Id>(number + 1));
          return found;
        }
        // Canonical labels: each component is named after its smallest vertex.
        for (std::size_t v = 0; v < values.size(); ++v) found += values[v] == static_cast<Id>(v) ? 1 : 0;
        return found;
      },
      labels.labels());
}

components_result components(const graph& g, const solve_options& options, const execution& on) {
  return solve_view(g.view(), g.names(), {options, on});
}

components_result components(graph_view g, const solve_options& options, const execution& on) {
  return solve_view(g, identity_of(g), {options, on});
}

template <unsigned_index Id, unsigned_index Offset>
solve_report components(csr_view<Id, Offset> g, std::span<Id> labels, const solve_options& options, const execution& on) {
  return solve_typed(g, labels, {options, on});
}

template <unsigned_index Id>
solve_report components(coo_view<Id> edges, std::span<Id> labels, const solve_options& options, const execution& on) {
  return solve_typed(edges, labels, {options, on});
}

template <unsigned_index Id>
solve_report components_in_place(Id vertices, std::span<edge<Id>> edges, std::span<Id> labels, const solve_options& options,
                                 const execution& on) {
  return solve_typed(coo_view<Id>{vertices, edges}, labels, {options, on}, edges.data());
}

template <unsigned_index Id>
solve_report components(edge_columns_view<Id> edges, std::span<Id> labels, const solve_options& asked, const execution& on) {
  const solve_request options{asked, on};
  expect_labels(edges, labels, options);
  if (devices_of(on).by_cost) {
    const graph_size size{.vertices = edges.vertices(), .edges = edges.sources.size(), .slots = edges.vertices(), .declared = true};
    return solve_on_chosen(size, sizeof(Id), options, [&](const execution& chosen) { return components(edges, labels, asked, chosen); });
  }
  if (devices_of(options).several()) return stream_through_gpus(edges, labels, options);
  edges = looked_at(edges, options);
  const std::size_t m = edges.sources.size();
  if constexpr (sizeof(Id) == 4) {
    if (const std::string no_room = too_large_for_gpu(edges, options); !no_room.empty()) {
      const auto start = std::chrono::steady_clock::now();
      solve_report report;
      phase_times times;
      stream_through_gpu(edges, no_room, labels, options, report, times);
      report.edges = m;
      report.solve_seconds = seconds_since(start) - report.copy_seconds;
      report.phases = times.all();
      return report;
    }
  }
  if (options.variant != "auto" || gpu_of(options)) {
    const auto pairs = api::interleaved(edges, options);
    return components(coo_view<Id>{edges.vertex_count, pairs.span(), true}, labels, asked, on);
  }
  const auto start = std::chrono::steady_clock::now();
  solve_report report;
  const auto choice = variant::automatic_columns(edges.vertices(), m, usable_threads(options.threads));
  report.variant = choice.variant;
  report.explanation = choice.explanation;
  report.edges = m;
  const bool serial = choice.variant.starts_with(backend::serial::name);
  if (!serial) report.threads = usable_threads(options.threads);
  solve_fast_list(serial ? backend::serial::name : backend::threads::name, edges, fast::column_edges{edges}, labels, {}, options);
  report.solve_seconds = seconds_since(start);
  return report;
}

template solve_report components(csr_view<std::uint32_t, std::uint32_t>, std::span<std::uint32_t>, const solve_options&, const execution&);
template solve_report components(csr_view<std::uint32_t, std::uint64_t>, std::span<std::uint32_t>, const solve_options&, const execution&);
template solve_report components(csr_view<std::uint64_t, std::uint64_t>, std::span<std::uint64_t>, const solve_options&, const execution&);
template solve_report components(coo_view<std::uint32_t>, std::span<std::uint32_t>, const solve_options&, const execution&);
template solve_report components(coo_view<std::uint64_t>, std::span<std::uint64_t>, const solve_options&, const execution&);
template solve_report components_in_place(std::uint32_t, std::span<edge<std::uint32_t>>, std::span<std::uint32_t>, const solve_options&,
                                          const execution&);
template solve_report components_in_place(std::uint64_t, std::span<edge<std::uint64_t>>, std::span<std::uint64_t>, const solve_options&,
                                          const execution&);
template solve_report components(edge_columns_view<std::uint32_t>, std::span<std::uint32_t>, const solve_options&, const execution&);
template solve_report components(edge_columns_view<std::uint64_t>, std::span<std::uint64_t>, const solve_options&, const execution&);

}  // namespace copse
