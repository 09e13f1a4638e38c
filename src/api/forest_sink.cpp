#include <api/forest_sink.hpp>
#include <copse/execution.hpp>
#include <weighted/side_by_side.hpp>

#include <algorithm>
#include <utility>

namespace copse::api {

void forest_sink::begin(const io::source_facts& facts) {
  facts_ = facts;
  collected_.emplace(input_, wishes());
  collected_->begin(facts_);
  if (signed_.load(std::memory_order_relaxed)) collected_->ids_are_signed();
}

void forest_sink::merge() {
  collected_->finish();
  weighted_graph batch;
  batch.edges = std::move(*collected_).take();
  batch.weights = weight_column{std::move(*collected_).take_weights()};
  collected_.reset();
  if (forest_.edges.vertices() != 0) {
    batch =
        weighted::side_by_side(forest_.edges, forest_.weights, batch.edges, batch.weights, usable_threads(options_.threads), input_.memory);
    forest_ = {};
  }
  forest_ = weighted_forest(batch, options_.options(), options_.on());
  merged_ = came_.load(std::memory_order_relaxed);
  limit_ = std::max(least_, new_ones * forest_.edge_count());
  ++merges_;
  for (const phase& p : forest_.report.phases) times_.add(p.name, p.seconds);
  solve_seconds_ += forest_.report.solve_seconds;
  forest_.report.phases = times_.all();
  forest_.report.solve_seconds = solve_seconds_;
  forest_.report.edges = merged_;
  forest_.merges = merges_;
}

void forest_sink::start_from(weighted_forest_result forest) {
  forest_ = std::move(forest);
  came_ = merged_ = forest_.report.edges;
  limit_ = std::max(least_, new_ones * forest_.edge_count());
  merges_ = forest_.merges;
  for (const phase& p : forest_.report.phases) times_.add(p.name, p.seconds);
  solve_seconds_ = forest_.report.solve_seconds;
}

}  // namespace copse::api
