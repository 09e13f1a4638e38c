#include "bench_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <copse/extend/in_place.hpp>
#include <type_traits>
#include <utility>
#include <variant>

#include "degrees.hpp"
#include "yardstick.hpp"

namespace copse::cli {

bench_graph::bench_graph(const input& from, const bench_settings& settings, resources& context)
    : settings_{settings}, context_{context}, held_{from.read()} {
  const bool listed = settings.held_as == input_kind::coo;
  graph built;
  if (!held_.has_rows()) {
    built = build_csr(held_, {.threads = context.threads, .observer = &context.observer, .memory = &context.memory});
    if (!listed) held_ = std::move(built);
  }
  const graph& rows = held_.has_rows() ? held_ : built;
  const edge_summary counted = count_edges(rows.view(), context.threads);
  facts_.text = from.text();
  facts_.vertices = rows.vertices();
  facts_.arcs = counted.arcs;
  facts_.edges = counted.edges;
  facts_.graph_checksum = graph_checksum(rows.view(), context.threads);
  if (listed) {
    if (settings.order == edge_order::sorted || held_.has_rows()) held_ = list_of(rows, &context.memory);
    if (settings.order == edge_order::random) held_ = shuffled(held_, settings.solving.seed, &context.memory);
    facts_.list_edges = count_edges(held_.view(), context.threads).edges;
  }
  const auto solved = copse::components(held_, options_for("serial.none.rem", 1, context.observer));
  reference_ = checked(solved);
  facts_.checksum = reference_.checksum;
  facts_.components = summarise(solved.labels, 0, &context.memory, context.threads).components;
}

solve_options bench_graph::options_for(const std::string& variant, unsigned threads, observer& watcher) const {
  solve_options options = settings_.solving;
  options.variant = variant;
  options.threads = threads;
  options.observer = &watcher;
  options.memory = &context_.memory;
  return options;
}

solved_once bench_graph::checked(const components_result& result) const {
  return {result.report.variant, result.report.build_seconds + result.report.solve_seconds, checksum(result.labels, context_.threads)};
}

std::vector<contender> bench_graph::contenders(const std::vector<bench_entry>& entries) {
  std::vector<contender> all;
  for (const bench_entry& entry : entries) {
    tree_on_gpu_ |= entry.variant == "cuda.gconn_tree";
    all.push_back({entry.variant, std::string{to_string(settings_.held_as)}, entry.threads, [this, entry](observer& watcher) {
                     if (entry.variant.starts_with("cuda.")) return solve_on_gpu(entry.variant, watcher);
                     const solve_options options = options_for(entry.variant, entry.threads, watcher);
                     return settings_.in_place ? solve_in_place(options) : checked(copse::components(held_, options));
                   }});
  }
  return all;
}

solved_once bench_graph::solve_in_place(const solve_options& options) const {
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> solved_once {
        if constexpr (requires { shape.offsets; }) {
          throw usage_error{"found rows, expected a list"};
        } else {
          using id = typename Shape::id_type;
          buffer<edge<id>> edges{shape.edges.size(), &context_.memory};  // the list is needed again: a copy, before the clock starts
          std::ranges::copy(shape.edges, edges.begin());
          buffer<id> labels{shape.vertex_count, &context_.memory};
          components_result result;
          result.report = components_in_place(shape.vertex_count, edges.span(), labels.span(), options);
          result.labels = labelling{std::move(labels), held_.names()};
          return checked(result);
        }
      },
      held_.shape());
}

solved_once bench_graph::solve_on_gpu(const std::string& variant, observer& watcher) {
  if (!gpu_) gpu_.emplace(gpu_solver::settings{.short_fetches = true}, settings_.on_gpu);
  if (!resident_ || settings_.in_place) {
    resident_.reset();
    resident_ = gpu_->copy_in(held_.view(), tree_on_gpu_ ? "gconn_tree" : "auto");
  }
  if (!facts_.floor) facts_.floor = {facts_.vertices, facts_.arcs, gpu_->measure_memory(static_cast<std::uint32_t>(facts_.vertices))};
  const solve_options options = options_for(std::string{chooser_on_gpu(variant).value_or(variant)}, 0, watcher);
  const auto labels = settings_.in_place ? gpu_->solve_in_place(*resident_, options) : gpu_->solve(*resident_, options);
  return {labels.report().variant, labels.report().solve_seconds,
          held_.names().what() == vertex_names::kind::identity
              ? gpu_->checksum(labels)
              : checksum(gpu_->copy_out(labels, held_.names(), &context_.memory), context_.threads),
          labels.report().launches};
}

std::optional<work_counts> bench_graph::count(const measurement& result) const {
  try {
    solve_options options = settings_.solving;
    options.variant = result.variant;
    options.threads = result.threads;
    options.count = true;
    options.memory = &context_.memory;
    return copse::components(held_, options).report.work;
  } catch (const usage_error&) {  // the fast path, and ids of 64 bits
    return std::nullopt;
  }
}

std::vector<contender> bench_graph::yardsticks() {
  return std::visit(
      [this]<class Shape>(const Shape& shape) -> std::vector<contender> {
        if constexpr (requires { shape.offsets; }) {
          const auto rows = shape.view();
          if (rows.symmetric != symmetry::yes || !rows.sorted)
            throw usage_error{
                fmt::format("--yardstick: found {} without sorted rows of both directions, expected a graph that has them: the "
                            "loop looks at smaller neighbours only",
                            facts_.text)};
          std::vector<contender> all;
          for (const auto& [name, where] :
               {std::pair{"ten_line_loop", label_memory::fresh}, std::pair{"ten_line_loop_on_touched_memory", label_memory::touched}}) {
            all.push_back({name, "csr", 1, [this, rows, name = std::string{name}, where = where](observer&) -> solved_once {
                             auto result = run_yardstick(rows, where);
                             return {name, result.seconds, checksum(labelling{std::move(result.labels), held_.names()}, context_.threads)};
                           }});
          }
          return all;
        } else {
          throw usage_error{"--yardstick: found --input coo, expected csr: the loop walks rows"};
        }
      },
      held_.shape());
}

}  // namespace copse::cli
