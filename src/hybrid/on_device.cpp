// The steps of a hybrid solve: choosing the share and a cut with which the GPU's part fits into its memory, solving both parts, and storing
// the labels.
#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <core/devices.hpp>
#include <fast/decide.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <hybrid/cpu_part.hpp>
#include <hybrid/cuda/gpu_part_kernels.hpp>
#include <hybrid/on_device.hpp>
#include <hybrid/share_model.hpp>
#include <hybrid/solve.hpp>
#include <variants/added.hpp>
#include <variants/choice.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <type_traits>
#include <utility>

namespace copse::hybrid {
namespace {

using id = std::uint32_t;
using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

std::string device_name(unsigned device) { return std::string{variant::cuda_name}.append(":").append(std::to_string(device)); }

/// Returns the CPU's share of the vertices. `probe()` returns the fraction of arcs that are likely cache misses on the CPU. It is called
/// only where the share depends on it, because it takes a tenth of a millisecond.
template <class Probe>
chosen_share share_of(const hybrid_options& settings, modelled_solve solve, Probe probe) {
  if (settings.share) {
    if (!(*settings.share >= 0 && *settings.share <= 100))
      throw usage_error{fmt::format("share must be from 0 to 100 percent, not {}", *settings.share)};
    return {*settings.share, "as asked"};
  }
  solve.scattered = 0;
  const chosen_share if_in_order = modelled_share(solve);
  solve.scattered = 1;
  chosen_share if_scattered = modelled_share(solve);
  if (if_in_order.share == if_scattered.share) return if_scattered;
  solve.scattered = probe();
  return modelled_share(solve);
}

/// A solve of one graph by one variant, with the places where the graph is stored.
template <class Offset>
class hybrid_job {
public:
  /// `on_device` is null if the graph is in host memory only.
  hybrid_job(device::solver& solver, const hybrid_variant& chosen, csr_view<id, Offset> host, const device::solver::graph* on_device,
             const solve_request& options)
      : solver_{solver},
        variant_{chosen},
        host_{host},
        on_device_{on_device},
        options_{options},
        vertices_{on_device != nullptr ? on_device->vertices : host.vertices()},
        arcs_{on_device != nullptr ? on_device->rows.arcs : host.targets.size()} {}

  /// Passes the labels to `keep(device_labels, threads)`. `words` is the array for labels in host memory, with one element per vertex; it
  /// is empty for a graph on the GPU. If the CPU gets all vertices of a graph in host memory and the GPU need not join pieces, the labels
  /// are left in `words`, and `keep` is not called. The GPU's memory may run out because the variant's scratch memory is not known in
  /// advance. Then the solve is repeated as if there were less memory; after the third failure the CPU gets all vertices.
  template <class Keep>
  void run(std::span<id> words, solve_report& whole_report, phase_times& times, Keep keep) {
    hybrid_report& report = whole_report.hybrid.emplace();
    const modelled_solve solve{.vertices = vertices_,
                               .arcs = arcs_,
                               .resident = on_device_ != nullptr,
                               .part = variant_.part,
                               .threads = usable_threads(options_.threads)};
    const auto chosen =
        share_of(options_.hybrid, solve, [&] { return report.scattered = fast::share_of_scattered_arcs(host_, options_.seed); });
    report.reason = chosen.reason;
    const id best_cut = hybrid::cut_at(vertices_, chosen.share);
    id cut = choose_cut(best_cut, solver_.free_bytes(), report);
    if (cut != best_cut) report.reason += "; more to the CPU, as the GPU's memory holds no more";
    for (unsigned failures = 0;; ++failures) {
      expect_rows(cut);
      report.cpu_vertices = cut;
      report.share = vertices_ == 0 ? chosen.share : 100 * static_cast<double>(cut) / static_cast<double>(vertices_);
      try {
        const bool gpu_joins_pieces = variant_.part == cpu_part::pieces;
        if (cut == vertices_ && on_device_ == nullptr && !gpu_joins_pieces) return solve_alone(words, report, times);
        return keep(attempt(cut, words, report, times), threads_for(cut));
      } catch (const resource_error&) {
        if (cut == vertices_) throw;
        // the shares of the free memory that the GPU's part may take after it has run out of memory once and twice
        constexpr std::array<double, 2> parts{.85, .5};
        const auto bytes = static_cast<double>(solver_.free_bytes());
        cut = failures < parts.size() ? choose_cut(cut + 1, static_cast<std::uint64_t>(parts[failures] * bytes), report) : vertices_;
        times = {};
        report.reason = chosen.reason + "; more to the CPU, as the GPU's memory ended";
      }
    }
  }

private:
  [[nodiscard]] std::uint64_t first_arc(std::uint64_t vertex) const {
    return host_.offsets.empty() ? 0 : std::uint64_t{host_.offsets[std::min<std::uint64_t>(vertex, host_.vertices())]};
  }

  /// Returns the smallest cut, at least `least`, whose GPU part fits into `bytes` bytes, and stores in the report how cross edges are
  /// solved.
  id choose_cut(id least, std::uint64_t bytes, hybrid_report& report) const {
    const bool as_printed = variant_.part == cpu_part::pieces;
    // If the GPU's rows keep their arcs to vertices below the cut, these vertices have no rows on the GPU, so a finish that relies on both
    // directions of every edge would be wrong.
    const bool both_directions = variant::finish_at(variant_.gpu->finish).traits.needs_symmetric;
    if (options_.hybrid.cross == cross_rule::keep && (as_printed || both_directions)) {
      throw usage_error{
          variant_.name + ": cross edges (those between the CPU's and the GPU's part) cannot be kept in the GPU's rows, because " +
          (as_printed ? "the CPU algorithm pieces also leaves the edges between its threads' parts, which these rows do not have"
                      : "it needs both directions of every edge, and these rows have one direction of cross edges") +
          "; choose unite or min_label for the option cross"};
    }
    report.cross = options_.hybrid.cross.value_or(as_printed        ? cross_rule::min_label
                                                  : both_directions ? cross_rule::unite
                                                                    : cross_rule::keep);
    id cut = cut_that_fits(least, bytes, report.cross);
    if (!options_.hybrid.cross && cut != least && report.cross == cross_rule::keep) {
      if (const id contracting = cut_that_fits(least, bytes, cross_rule::unite); contracting < cut) {
        cut = contracting;
        report.cross = cross_rule::unite;
      }
    }
    return cut;
  }
  id cut_that_fits(id least, std::uint64_t bytes, cross_rule rule) const {
    const device::memory_needs needs = device::needs_of(variant_.gpu->info, {vertices_, 0, true, sizeof(Offset)});
    const std::uint64_t per_vertex = vertices_ == 0 ? 0 : (needs.label_bytes + needs.beside_bytes) / vertices_;
    const hybrid::rest_sizes sizes{vertices_, 0, 0, sizeof(Offset), per_vertex, on_device_ != nullptr, rule == cross_rule::keep};
    return static_cast<id>(hybrid::cut_that_fits(sizes, least, bytes, [this](std::uint64_t v) { return arcs_ - first_arc(v); }));
  }

  void expect_rows(id cut) const {
    if (cut <= host_.vertices()) return;
    throw usage_error{variant_.name + ": the CPU gets the first " + std::to_string(cut) +
                      " vertices, so the view in host memory must have the rows of all of them, not only of " +
                      std::to_string(host_.vertices())};
  }

  void solve_alone(std::span<id> words, hybrid_report& report, phase_times& times) const {
    report.spare_seconds = report.gpu_seconds = report.cross_seconds = 0;
    const auto start = clock::now();
    label_cpu_part(variant_.part, host_, vertices_, vertices_, words, options_);
    report.cpu_seconds = seconds_since(start);
    times.add("cpu part", report.cpu_seconds);
  }

  /// The number of threads that copy and solve: all, or all but the one that drives the GPU if the CPU has a part.
  [[nodiscard]] unsigned threads_for(id cut) const {
    const unsigned threads = usable_threads(options_.threads);
    return cut == 0 ? threads : std::max(1u, threads - 1);
  }

  /// Returns the number of elements of the page-locked array for the CPU's labels, from which they are copied to the GPU directly: one for
  /// each vertex below the cut. For the fast path, which uses the rest as scratch memory, there are as many as `words`, the array for all
  /// labels, has.
  [[nodiscard]] std::size_t room_for_labels_of(id cut, std::span<const id> words) const noexcept {
    return variant_.part == cpu_part::fast && cut != 0 ? std::max<std::size_t>(cut, words.size()) : cut;
  }
  static std::span<id> words_in(std::span<std::byte> bytes) noexcept {
    return {reinterpret_cast<id*>(bytes.data()), bytes.size() / sizeof(id)};
  }

  buffer<id> attempt(id cut, std::span<id> words, hybrid_report& report, phase_times& times) {
    solve_request cpu_options = options_;
    cpu_options.threads = threads_for(cut);
    hybrid::gpu_part_kernels gpu_part{solver_.on(),          &solver_.memory(),   options_.observer,
                                      solver_.most_blocks(), cpu_options.threads, report.cross};
    const backend::locked_room locked{solver_.on(), room_for_labels_of(cut, words) * sizeof(id)};
    buffer<id> room{words.empty() && locked.bytes().empty() ? cut : 0, options_.memory};
    const std::span<id> labels = !locked.bytes().empty() ? words_in(locked.bytes()) : room.empty() ? words : room.span();
    const auto load = [&](phase_times& phases) {
      if (on_device_ != nullptr) return gpu_part.borrow(on_device_->rows, cut, first_arc(cut));
      const phase_timer time{phases, "copy in"};
      gpu_part.copy_in(backend::any_rows<id>{host_}, cut, first_arc(cut));
    };
    const auto cpu_part = [&] {
      auto between = label_cpu_part(variant_.part, host_, vertices_, cut, labels, cpu_options);
      return cpu_answer{labels.first(cut), std::move(between)};
    };
    new_pages room_for_labels{words, labels.data() == words.data() ? cut : 0};
    const auto while_device_works = [&](const auto& done) { room_for_labels.touch_by(cpu_options.threads, done); };
    const auto while_rows_come = [&](const auto& done) {
      // a solve by a single thread stores to these words without atomics, so no other thread may touch them at the same time
      if (cpu_options.threads > 1) room_for_labels.touch(done);
    };
    const auto solve = [&](const backend::arc_set<id>& inside) {
      phase_times variant_phases;
      const auto labels_of = [&](const backend::arc_set<id>& graph) {
        return solver_.solve(variant_.gpu->sampler, variant_.gpu->finish, graph, options_, variant_phases).labels;
      };
      if (variant_.gpu->info.input == input_kind::csr) return labels_of(inside);
      auto edges = gpu_part.listed(inside.rows);
      backend::arc_set<id> list{coo_view<id>{inside.vertices, edges.span()}};
      list.writable = edges.data();
      return labels_of(list);
    };
    return hybrid::solve_on_both(gpu_part, cut, hybrid::both_sides{load, while_rows_come, cpu_part, while_device_works, solve}, report,
                                 times);
  }

  device::solver& solver_;
  const hybrid_variant& variant_;
  csr_view<id, Offset> host_;
  const device::solver::graph* on_device_;
  const solve_request& options_;
  id vertices_;
  std::uint64_t arcs_;
};

void describe(solve_report& report, const hybrid_variant& chosen, unsigned device, const solve_request& options) {
  report.variant = chosen.name;
  report.device = "cpu+" + device_name(device);
  report.threads = usable_threads(options.threads);
}

template <class Offset>
buffer<id> solve_from_host(device::solver& solver, csr_view<id, Offset> g, const solve_request& options, solve_report& report,
                           phase_times& times) {
  if (g.symmetric != symmetry::yes) {
    const auto both = variant::both_directions_of(g, options, times);
    return solve_from_host(solver, both.view(), options, report, times);
  }
  const hybrid_variant chosen = hybrid_variant_named(options.variant, g);
  describe(report, chosen, solver.device(), options);
  buffer<id> words{g.vertices(), options.memory};
  hybrid_job<Offset>{solver, chosen, g, nullptr, options}.run(words.span(), report, times, [&](const buffer<id>& labels, unsigned threads) {
    const phase_timer time{times, "copy out"};
    solver.copy_out(labels, words.span(), threads);
  });
  return words;
}

}  // namespace

components_result solve(graph_view whole, const vertex_names& names, const solve_request& options) {
  if (options.count) throw usage_error{"count cannot be used with " + options.variant + "; use a variant of the CPU or of cuda"};
  static_cast<void>(hybrid_variant_named(options.variant, csr_view<id, id>{}));  // reports a wrong name before the GPU is initialised
  components_result result;
  solve_report& report = result.report;
  graph built;
  std::visit(
      [&]<class View>(const View& g) {
        if constexpr (requires { g.offsets; }) {
          report.edges = g.targets.size();
        } else {
          report.edges = g.edges.size();
          const auto start = clock::now();
          built = build_csr(g, {}, options.on());
          report.build_seconds = seconds_since(start);
          whole = built.view();
        }
      },
      graph_view{whole});
  std::visit(
      [&]<class View>(const View& g) {
        if constexpr (std::is_same_v<typename View::id_type, id> && requires { g.offsets; }) {
          const auto initialising = clock::now();
          device::solver solver{{.device = gpu_of_hybrid(options).value_or(0), .memory_limit_bytes = options.gpu_memory}};
          solver.prepare_copies();
          report.copy_seconds = seconds_since(initialising);
          const auto start = clock::now();
          phase_times times;
          result.labels = labelling{solve_from_host(solver, g, options, report, times), names};
          report.solve_seconds = seconds_since(start);
          report.phases = times.all();
        } else {
          throw usage_error{"hybrid variants need 32-bit ids: at most 2^32 - 1 vertices"};
        }
      },
      whole);
  report.explanation = fmt::format("{}: {}, {:.4g} % of the vertices to the CPU: {}", options.variant, report.variant, report.hybrid->share,
                                   report.hybrid->reason);
  return result;
}

template <class Offset>
buffer<id> solve_resident(device::solver& solver, const hybrid_variant& chosen, const device::solver::graph& on_device,
                          csr_view<id, Offset> host, const solve_request& options, solve_report& report) {
  if (!on_device.is_rows || !on_device.rows.symmetric || host.symmetric != symmetry::yes) device::refuse_one_direction(chosen.name);
  if (host.vertices() > on_device.vertices) {
    throw usage_error{chosen.name + ": the view in host memory must have at most the " + std::to_string(on_device.vertices) +
                      " vertices of the graph on the GPU, not " + std::to_string(host.vertices())};
  }
  describe(report, chosen, solver.device(), options);
  report.edges = on_device.rows.arcs;
  const auto start = clock::now();
  phase_times times;
  buffer<id> result;
  hybrid_job<Offset>{solver, chosen, host, &on_device, options}.run({}, report, times,
                                                                    [&](buffer<id> labels, unsigned) { result = std::move(labels); });
  report.solve_seconds = seconds_since(start);
  report.phases = times.all();
  return result;
}

template buffer<id> solve_resident(device::solver&, const hybrid_variant&, const device::solver::graph&, csr_view<id, std::uint32_t>,
                                   const solve_request&, solve_report&);
template buffer<id> solve_resident(device::solver&, const hybrid_variant&, const device::solver::graph&, csr_view<id, std::uint64_t>,
                                   const solve_request&, solve_report&);

}  // namespace copse::hybrid
