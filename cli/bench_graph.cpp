#include "bench_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/extend/in_place.hpp>
#include <copse/hybrid.hpp>
#include <copse/io.hpp>
#include <random>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "degrees.hpp"
#include "io/written_suffix.hpp"
#include "output.hpp"
#include "yardstick.hpp"

namespace copse::cli {
namespace {

/// Returns the name of a rule that chooses a variant by the graph (auto, gconn_default or gconn_tree) if it follows `cuda.`, as in
/// cuda.auto. Other commands spell this `--device cuda --variant auto`.
std::optional<std::string_view> chooser_on_gpu(std::string_view name) noexcept {
  constexpr std::string_view device = "cuda.";
  if (!name.starts_with(device) || !is_chooser(name.substr(device.size()))) return std::nullopt;
  return name.substr(device.size());
}

/// Returns the name itself, or the names of the variants for this input (rows or list) that the pattern matches.
std::vector<std::string> names_for(const std::string& pattern, input_kind input) {
  if (is_chooser(pattern) || chooser_on_gpu(pattern)) return {pattern};
  if (is_hybrid(pattern) && !refusal(pattern, input)) return {pattern};
  if (const variant_info* named = find_variant(pattern, input)) return {named->name};
  std::vector<std::string> names;
  const bool any_gpu = !gpus().empty();
  for (const variant_info* info : variants_matching(pattern)) {
    if (info->input == input && (info->backend != "cuda" || any_gpu)) names.push_back(info->name);
  }
  if (!names.empty()) return names;
  if (pattern.find_first_of("*?") == std::string::npos)
    throw usage_error{fmt::format("--variants {}: {} (copse variants lists all)", pattern, refusal(pattern, input).value_or("unknown"))};
  throw usage_error{
      fmt::format("--variants: no variant for --input {} matches {}; copse variants lists all, and a pattern is a text such as threads.*",
                  to_string(input), pattern)};
}

/// True for serial variants and variants of cuda, for which the option --threads has no meaning.
bool takes_no_threads(const std::string& name, input_kind input) {
  if (chooser_on_gpu(name)) return true;
  const variant_info* info = find_variant(name, input);
  return info != nullptr && (info->backend == "serial" || info->backend == "cuda");
}

}  // namespace

std::vector<bench_entry> entries_to_measure(const std::vector<std::string>& patterns, input_kind input,
                                            const std::vector<unsigned>& threads) {
  std::vector<bench_entry> entries;
  std::set<std::string> listed;
  for (const std::string& pattern : patterns) {
    for (const std::string& name : names_for(pattern, input)) {
      if (!listed.insert(name).second) continue;
      if (takes_no_threads(name, input)) {
        entries.push_back({name, 1});
      } else {
        for (const unsigned t : threads) entries.push_back({name, t});
      }
    }
  }
  return entries;
}

namespace {

/// Calls visit(u, v) for every edge of the rows once: where both directions are stored, the one from the larger vertex.
template <class View, class Visit>
void each_edge(const View& rows, Visit visit) {
  using id = typename View::id_type;
  for (id u = 0; u < rows.vertices(); ++u) {
    for (const id v : rows.row(u)) {
      if (rows.symmetric != symmetry::yes || v <= u) visit(u, v);
    }
  }
}

/// Returns a list of the edges of `rows`, each once, in the order of the rows.
graph list_of(const graph& rows, std::pmr::memory_resource* memory) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> graph {
        if constexpr (requires { shape.offsets; }) {
          using id = typename Shape::id_type;
          const auto view = shape.view();
          std::size_t count = 0, next = 0;
          each_edge(view, [&](id, id) { ++count; });
          buffer<edge<id>> edges{count, memory};
          each_edge(view, [&](id u, id v) { edges[next++] = {u, v}; });
          return {coo<id>{view.vertices(), std::move(edges)}, rows.names()};
        } else {
          throw usage_error{"bench: found a list of edges where it had made rows; this is a bug"};
        }
      },
      rows.shape());
}

/// Returns a copy of the list in random order, which is the same on every machine. O(edges) random accesses, on one thread.
graph shuffled(const graph& list, std::uint64_t seed, std::pmr::memory_resource* memory) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> graph {
        if constexpr (requires { shape.offsets; }) {
          throw usage_error{"bench: found rows where it had made a list of edges; this is a bug"};
        } else {
          using id = typename Shape::id_type;
          buffer<edge<id>> edges{shape.edges.size(), memory};
          std::ranges::copy(shape.edges, edges.begin());
          std::mt19937_64 random{seed};  // the C++ standard fixes the numbers of this generator, but not those of std::shuffle
          for (std::size_t i = edges.size(); i > 1; --i) std::swap(edges[i - 1], edges[random() % i]);
          return {coo<id>{shape.vertex_count, std::move(edges)}, list.names()};
        }
      },
      list.shape());
}

}  // namespace

bench_graph::bench_graph(const input& from, const bench_settings& settings, resources& context)
    : settings_{settings}, context_{context}, file_{from.generated() || from.text() == "-" ? "" : from.text()}, held_{from.read()} {
  const bool listed = settings.held_as == input_kind::coo;
  graph built;
  if (!held_.has_rows()) {
    built = build_csr(held_, {}, context.on());
    if (!listed) held_ = std::move(built);
  }
  const graph& rows = held_.has_rows() ? held_ : built;
  const edge_counts counted = count_edges(rows.view(), context.on());
  facts_.text = from.text();
  facts_.vertices = rows.vertices();
  facts_.arcs = counted.arcs;
  facts_.edges = counted.edges;
  facts_.graph_checksum = graph_checksum(rows.view(), context.on());
  if (listed) {
    if (settings.order == edge_order::sorted || held_.has_rows()) held_ = list_of(rows, &context.memory);
    if (settings.order == edge_order::random) held_ = shuffled(held_, settings.solving.seed, &context.memory);
    facts_.list_edges = count_edges(held_.view(), context.on()).edges;
  }
  const auto solved = copse::components(held_, options_for("serial.none.rem"), on(1, &context.observer));
  reference_ = checked(solved);
  facts_.checksum = reference_.checksum;
  facts_.components = summarise(solved.labels, 0, context.on()).components;
  reference_.components = facts_.components;
}

solve_options bench_graph::options_for(const std::string& variant) const {
  solve_options options = settings_.solving;
  options.variant = variant;
  return options;
}

execution bench_graph::on(unsigned threads, observer* watcher) const {
  execution how = context_.on();
  how.threads = threads;
  how.observer = watcher;
  return how;
}

solved_once bench_graph::checked(const components_result& result) const {
  return {result.report.variant, result.report.build_seconds + result.report.solve_seconds, checksum(result.labels, context_.on())};
}

std::vector<contender> bench_graph::contenders(const std::vector<bench_entry>& entries) {
  std::vector<contender> all;
  for (const bench_entry& entry : entries) {
    tree_on_gpu_ |= entry.variant == "cuda.gconn_tree";
    all.push_back({entry.variant, std::string{to_string(settings_.held_as)}, entry.threads, [this, entry](observer& watcher) {
                     if (entry.variant.starts_with("cuda.")) return solve_on_gpu(entry.variant, watcher);
                     const solve_options options = options_for(entry.variant);
                     const execution how = on(entry.threads, &watcher);
                     return checked(solved(options, how));
                   }});
  }
  return all;
}

std::vector<contender> bench_graph::contenders(const std::vector<rival_program>& programs, const std::vector<unsigned>& threads) {
  std::vector<contender> all;
  for (const rival_program& program : programs) {
    for (const std::string& suffix : program.suffixes())
      static_cast<void>(path_for(program, suffix));  // writes the copy, or throws, before the first measurement
    for (const unsigned count : program.takes_threads() ? threads : std::vector{0u}) {
      all.push_back({program.name, "program", count, [this, &program, count](observer&) {
                       return program.run(count, [&](const std::string& suffix) { return path_for(program, suffix); });
                     }});
    }
  }
  return all;
}

std::string bench_graph::path_for(const rival_program& program, const std::string& suffix) {
  if (suffix.empty()) {
    if (file_.empty())
      throw usage_error{
          fmt::format("--program {}: {{graph}} is the name of the file, and {} is no file; write {{graph.sg}} for a copy of the graph",
                      program.name, facts_.text)};
    return file_;
  }
  if (const auto known = copies_.find(suffix); known != copies_.end()) return known->second.path();
  const std::string name = "graph" + suffix;
  io::expect_graph_suffix(name);
  if (const std::uint64_t isolated = vertices_left_out(held_, name, "", &context_.memory); isolated > 0)
    throw usage_error{
        fmt::format("--program {}: {{{}}} cannot hold {}, which has {} isolated {}; write a copy as .sg .egr .adj .gr .vgr or .mtx",
                    program.name, name, facts_.text, isolated, isolated == 1 ? "vertex" : "vertices")};
  const std::string& path = copies_.try_emplace(suffix, suffix).first->second.path();
  // Programs that read rows expect both directions of every edge in them.
  const bool build = needs_rows(path) && !std::visit([](const auto& view) { return stores_both_directions(view); }, held_.view());
  const graph built = build ? build_csr(held_, {}, context_.on()) : graph{};
  io::write_graph(build ? built : std::as_const(held_), path, {}, context_.on());
  return path;
}

components_result bench_graph::solved(const solve_options& options, const execution& on) const {
  if (!settings_.in_place) return copse::components(held_, options, on);
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> components_result {
        if constexpr (requires { shape.offsets; }) {
          throw usage_error{"bench: found rows where it had made a list of edges; this is a bug"};
        } else {
          using id = typename Shape::id_type;
          buffer<edge<id>> edges{shape.edges.size(), &context_.memory};  // the list is needed again: a copy, before the clock starts
          std::ranges::copy(shape.edges, edges.begin());
          buffer<id> labels{shape.vertex_count, &context_.memory};
          components_result result;
          result.report = components_in_place(shape.vertex_count, edges.span(), labels.span(), options, on);
          result.labels = labelling{std::move(labels), held_.names()};
          return result;
        }
      },
      held_.shape());
}

solved_once bench_graph::solve_on_gpu(const std::string& variant, observer& watcher) {
  if (!resident_ || settings_.in_place) {
    resident_.reset();
    resident_ = gpu_benchmark::copy_of(held_.view(), {.variant = tree_on_gpu_ ? "gconn_tree" : "auto", .short_fetches = true},
                                       {.device = "cuda"}, settings_.on_gpu);
  }
  if (!facts_.floor)
    facts_.floor = {facts_.vertices, facts_.arcs, gpu_benchmark::measure_memory(*resident_, static_cast<std::uint32_t>(facts_.vertices))};
  const solve_options options = options_for(std::string{chooser_on_gpu(variant).value_or(variant)});
  const execution how = on(0, &watcher);
  const gpu_labels labels = settings_.in_place ? components_in_place(*resident_, options, how) : components(*resident_, options, how);
  return {labels.report().variant, labels.report().solve_seconds,
          held_.names().what() == vertex_names::kind::identity ? checksum(labels)
                                                               : checksum(labels.copy_out(held_.names(), &context_.memory), context_.on()),
          labels.report().launches};
}

std::optional<work_counts> bench_graph::count(const measurement& result) const {
  try {
    solve_options options = options_for(result.variant);
    options.count = true;
    return solved(options, on(result.threads, nullptr)).report.work;
  } catch (const usage_error&) {  // the work of the fast path and of graphs with 64-bit ids cannot be counted
    return std::nullopt;
  }
}

std::vector<contender> bench_graph::yardsticks() {
  return std::visit(
      [this]<class Shape>(const Shape& shape) -> std::vector<contender> {
        if constexpr (requires { shape.offsets; }) {
          const auto rows = shape.view();
          if (rows.symmetric != symmetry::yes || !rows.sorted)
            throw usage_error{fmt::format(
                "--yardstick needs sorted rows of both directions, which {} does not have: the loop looks at smaller neighbours only",
                facts_.text)};
          std::vector<contender> all;
          for (const auto& [name, where] :
               {std::pair{"ten_line_loop", label_memory::fresh}, std::pair{"ten_line_loop_on_touched_memory", label_memory::touched}}) {
            all.push_back({name, "csr", 1, [this, rows, name = std::string{name}, where = where](observer&) -> solved_once {
                             auto result = run_yardstick(rows, where);
                             return {name, result.seconds, checksum(labelling{std::move(result.labels), held_.names()}, context_.on())};
                           }});
          }
          return all;
        } else {
          throw usage_error{"--yardstick needs --input csr: the loop walks rows"};
        }
      },
      held_.shape());
}

}  // namespace copse::cli
