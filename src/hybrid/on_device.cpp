// What a hybrid solve is made of: the share, a cut with which the rest fits into the GPU's memory, both sides, the labels.
#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <copse/options.hpp>
#include <fast/probe.hpp>
#include <hybrid/cuda/gpu_part_kernels.hpp>
#include <hybrid/needs.hpp>
#include <hybrid/new_pages.hpp>
#include <hybrid/on_device.hpp>
#include <hybrid/solve.hpp>
#include <variants/entries.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace copse::hybrid {
namespace {

using id = std::uint32_t;
using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

std::string device_name(unsigned device) { return std::string{variant::cuda_name}.append(":").append(std::to_string(device)); }

/// Asked for once: the driver takes its time.
std::string_view name_of_gpu(unsigned device) {
  static const auto all = gpus();
  return device < all.size() ? std::string_view{all[device].name} : std::string_view{};
}

/// `look(looks)`: fills in what is not seen at once. It is asked only where it matters, because it costs a tenth of a millisecond.
template <class Look>
chosen_share share_of(cpu_part part, const solve_options& options, const hybrid_options& how, bool resident, graph_profile looks,
                      Look look) {
  if (how.share) {
    if (!(*how.share >= 0 && *how.share <= 100)) throw usage_error{fmt::format("share: found {}, expected 0 to 100 percent", *how.share)};
    return {*how.share, "as asked"};
  }
  const share_table& table =
      how.shares != nullptr ? *how.shares : shipped_shares(name_of_gpu(options.gpu.value_or(0)), usable_threads(options.threads));
  const auto points = table.points(cpu_part_names[static_cast<std::size_t>(part)], resident);
  looks.scattered = 0;
  const chosen_share in_order = choose_share(points, resident, looks);
  looks.scattered = 1;
  chosen_share in_none = choose_share(points, resident, looks);
  if (in_order.share == in_none.share && (in_none.share == 0 || in_none.share == 100)) return in_none;
  look(looks);
  return choose_share(points, resident, looks);
}

/// One graph, its place, and the row that solves it.
template <class Offset>
class hybrid_job {
public:
  /// `on_device` null: the graph is in host memory only.
  hybrid_job(device::solver& solver, const hybrid_variant& row, csr_view<id, Offset> host, const device::solver::graph* on_device,
             const solve_options& options, const hybrid_options& how)
      : solver_{solver},
        row_{row},
        host_{host},
        on_device_{on_device},
        options_{options},
        how_{how},
        vertices_{on_device != nullptr ? on_device->vertices : host.vertices()},
        arcs_{on_device != nullptr ? on_device->rows.arcs : host.targets.size()} {}

  /// Labels where `keep(device_labels, threads)` puts them, or, where the CPU had all vertices of a graph in host memory, in `words`, of
  /// all vertices; empty for a graph on the GPU. A GPU's memory that ends all the same (a row's scratch is not known before) is
  /// then reckoned to be less, and the third time the CPU gets all.
  template <class Keep>
  void run(std::span<id> words, solve_report& report, phase_times& times, Keep keep) {
    hybrid_report& told = report.hybrid.emplace();
    const auto chosen = share_of(row_.part, options_, how_, on_device_ != nullptr, {vertices_, arcs_}, [&](graph_profile& looks) {
      if (host_.vertices() == vertices_) looks.scattered = fast::share_of_scattered_arcs(host_, options_.seed);  // first rows lead beyond
      told.scattered = looks.scattered;
    });
    told.reason = chosen.reason;
    const id wanted = hybrid::cut_at(vertices_, chosen.share);
    id cut = choose_cut(wanted, solver_.free_bytes(), told);
    if (cut != wanted) told.reason += "; more to the CPU, as the GPU's memory holds no more";
    for (unsigned failures = 0;; ++failures) {
      expect_rows(cut);
      told.cpu_vertices = cut;
      told.share = vertices_ == 0 ? chosen.share : 100 * static_cast<double>(cut) / static_cast<double>(vertices_);
      try {
        if (cut == vertices_ && on_device_ == nullptr) return solve_alone(words, told, times);
        return keep(attempt(cut, words, told, times), threads_for(cut));
      } catch (const resource_error&) {
        if (cut == vertices_) throw;
        constexpr std::array<double, 2> parts{.85, .5};  // of the memory, of which the row takes more than is known before
        const auto bytes = static_cast<double>(solver_.free_bytes());
        cut = failures < parts.size() ? choose_cut(cut + 1, static_cast<std::uint64_t>(parts[failures] * bytes), told) : vertices_;
        times = {};
        told.reason = chosen.reason + "; more to the CPU, as the GPU's memory ended";
      }
    }
  }

private:
  [[nodiscard]] std::uint64_t first_arc(std::uint64_t vertex) const {
    return host_.offsets.empty() ? 0 : std::uint64_t{host_.offsets[std::min<std::uint64_t>(vertex, host_.vertices())]};
  }

  /// The smallest from `least` on that fits into so much memory, and how cross edges are solved.
  id choose_cut(id least, std::uint64_t bytes, hybrid_report& told) const {
    // Vertices below the cut have arcs that lead to them and no rows: a finish that counts on both directions is led astray.
    const bool may_keep = !variant::finish_entries[row_.gpu->finish].traits.needs_symmetric;
    if (how_.cross == cross_rule::keep && !may_keep)
      throw usage_error{row_.name + ": found cross edges to be kept, expected another rule: it needs both directions of every edge"};
    told.cross = how_.cross.value_or(may_keep ? cross_rule::keep : cross_rule::unite);
    id cut = cut_that_fits(least, bytes, told.cross);
    if (!how_.cross && cut != least && told.cross == cross_rule::keep) {
      if (const id contracting = cut_that_fits(least, bytes, cross_rule::unite); contracting < cut) {
        cut = contracting;
        told.cross = cross_rule::unite;
      }
    }
    return cut;
  }
  id cut_that_fits(id least, std::uint64_t bytes, cross_rule rule) const {
    const cuda_needs needs = needs_of(row_.gpu->info, {vertices_, 0, true, sizeof(Offset)});
    const std::uint64_t per_vertex = vertices_ == 0 ? 0 : (needs.label_bytes + needs.beside_bytes) / vertices_;
    const hybrid::rest_sizes sizes{vertices_, 0, 0, sizeof(Offset), per_vertex, on_device_ != nullptr, rule == cross_rule::keep};
    return static_cast<id>(hybrid::cut_that_fits(sizes, least, bytes, [this](std::uint64_t v) { return arcs_ - first_arc(v); }));
  }

  void expect_rows(id cut) const {
    if (cut <= host_.vertices()) return;
    throw usage_error{row_.name + ": found " + std::to_string(host_.vertices()) + " rows in host memory, expected at least the " +
                      std::to_string(cut) + " that the CPU gets"};
  }

  void solve_alone(std::span<id> words, hybrid_report& told, phase_times& times) const {
    told.spare_seconds = told.gpu_seconds = told.cross_seconds = 0;
    const auto start = clock::now();
    label_cpu_part(row_.part, host_, vertices_, vertices_, words, options_);
    told.cpu_seconds = seconds_since(start);
    times.add("cpu part", told.cpu_seconds);
  }

  /// All copy and solve; one is left to drive the GPU where the others have a part of their own. In between they stay as many: another
  /// number of threads would be another team, which the runtime of OpenMP would have to make.
  [[nodiscard]] unsigned threads_for(id cut) const {
    const unsigned threads = usable_threads(options_.threads);
    return cut == 0 ? threads : std::max(1u, threads - 1);
  }

  buffer<id> attempt(id cut, std::span<id> words, hybrid_report& told, phase_times& times) {
    solve_options of_cpu = options_;
    of_cpu.threads = threads_for(cut);
    hybrid::gpu_part_kernels rest{solver_.on(), &solver_.memory(), options_.observer, solver_.most_blocks(), of_cpu.threads, told.cross};
    buffer<id> room{words.empty() ? cut : 0, options_.memory};
    const std::span<id> labels = room.empty() ? words : room.span();
    const auto load = [&](phase_times& phases) {
      if (on_device_ != nullptr) return rest.borrow(on_device_->rows, cut, first_arc(cut));
      const phase_timer time{phases, "copy in"};
      rest.copy_in(backend::any_rows<id>{host_}, cut, first_arc(cut));
    };
    const auto cpu_part = [&] {
      label_cpu_part(row_.part, host_, vertices_, cut, labels, of_cpu);
      return labels.first(cut);
    };
    new_pages room_for_labels{words, words.empty() ? 0 : cut};
    const auto while_device_works = [&](const auto& done) { room_for_labels.touch_by(of_cpu.threads, done); };
    const auto while_rows_come = [&](const auto& done) {
      if (of_cpu.threads > 1) room_for_labels.touch(done);  // one thread's stores to words that it shares are no atomic ones
    };
    const auto solve = [&](const backend::arc_set<id>& inside) {
      phase_times phases_of_row;
      return solver_.solve(row_.gpu->sampler, row_.gpu->finish, inside, options_, phases_of_row).labels;
    };
    return hybrid::solve_on_both(rest, cut, hybrid::both_sides{load, while_rows_come, cpu_part, while_device_works, solve}, told, times);
  }

  device::solver& solver_;
  const hybrid_variant& row_;
  csr_view<id, Offset> host_;
  const device::solver::graph* on_device_;
  const solve_options& options_;
  const hybrid_options& how_;
  id vertices_;
  std::uint64_t arcs_;
};

void describe(solve_report& report, const hybrid_variant& row, const solve_options& options) {
  report.variant = row.name;
  report.device = "cpu+" + device_name(options.gpu.value_or(0));
  report.threads = usable_threads(options.threads);
}

template <class Offset>
buffer<id> solve_from_host(device::solver& solver, csr_view<id, Offset> g, const solve_options& options, const hybrid_options& how,
                           solve_report& report, phase_times& times) {
  if (g.symmetric != symmetry::yes) {
    const auto both = [&] {
      const phase_timer time{times, "symmetrise"};
      return symmetrise(g, build_options{.drop_duplicates = false,
                                         .drop_loops = false,
                                         .threads = options.threads,
                                         .observer = options.observer,
                                         .memory = options.memory});
    }();
    return solve_from_host(solver, both.view(), options, how, report, times);
  }
  const hybrid_variant row = hybrid_variant_named(options.variant, g);
  describe(report, row, options);
  buffer<id> words{g.vertices(), options.memory};
  hybrid_job<Offset>{solver, row, g, nullptr, options, how}.run(words.span(), report, times,
                                                                [&](const buffer<id>& labels, unsigned threads) {
                                                                  const phase_timer time{times, "copy out"};
                                                                  solver.copy_out(labels, words.span(), threads);
                                                                });
  return words;
}

}  // namespace

components_result solve(graph_view whole, const vertex_names& names, const solve_options& options, const hybrid_options& how) {
  if (options.count) throw usage_error{"count: found " + options.variant + ", expected a row of the table: its loops are not counted"};
  static_cast<void>(hybrid_variant_named(options.variant, csr_view<id, id>{}));  // a wrong name is told before a GPU is woken
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
          built = build_csr(g, {.threads = options.threads, .observer = options.observer, .memory = options.memory});
          report.build_seconds = seconds_since(start);
          whole = built.view();
        }
      },
      graph_view{whole});
  std::visit(
      [&]<class View>(const View& g) {
        if constexpr (std::is_same_v<typename View::id_type, id> && requires { g.offsets; }) {
          const auto waking = clock::now();
          device::solver solver{{.device = options.gpu.value_or(0), .memory_limit_bytes = how.gpu_memory_bytes}};
          solver.prepare_copies();
          report.copy_seconds = seconds_since(waking);
          const auto start = clock::now();
          phase_times times;
          result.labels = labelling{solve_from_host(solver, g, options, how, report, times), names};
          report.solve_seconds = seconds_since(start);
          report.phases = times.all();
        } else {
          throw usage_error{"hybrid: found 64-bit ids, expected at most 2^32 - 1 vertices"};
        }
      },
      whole);
  report.explanation = fmt::format("{}: {}, {:.4g} % of the vertices to the CPU: {}", options.variant, report.variant, report.hybrid->share,
                                   report.hybrid->reason);
  return result;
}

template <class Offset>
buffer<id> solve_resident(device::solver& solver, const hybrid_variant& row, const device::solver::graph& on_device,
                          csr_view<id, Offset> host, const solve_options& options, const hybrid_options& how, solve_report& report) {
  if (!on_device.is_rows || !on_device.rows.symmetric || host.symmetric != symmetry::yes)
    throw usage_error{row.name + ": found rows that may store one direction of an edge only, expected both; symmetrise them first"};
  if (host.vertices() > on_device.vertices) {
    throw usage_error{row.name + ": found " + std::to_string(host.vertices()) + " rows in host memory, expected those of the " +
                      std::to_string(on_device.vertices) + " vertices on the GPU"};
  }
  describe(report, row, options);
  report.edges = on_device.rows.arcs;
  const auto start = clock::now();
  phase_times times;
  buffer<id> made;
  hybrid_job<Offset>{solver, row, host, &on_device, options, how}.run({}, report, times,
                                                                      [&](buffer<id> labels, unsigned) { made = std::move(labels); });
  report.solve_seconds = seconds_since(start);
  report.phases = times.all();
  return made;
}

template buffer<id> solve_resident(device::solver&, const hybrid_variant&, const device::solver::graph&, csr_view<id, std::uint32_t>,
                                   const solve_options&, const hybrid_options&, solve_report&);
template buffer<id> solve_resident(device::solver&, const hybrid_variant&, const device::solver::graph&, csr_view<id, std::uint64_t>,
                                   const solve_options&, const hybrid_options&, solve_report&);

}  // namespace copse::hybrid
