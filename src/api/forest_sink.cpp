#include <api/forest_sink.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

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

void forest_sink::go_on() {
  if (collected_) return;
  begin(facts_);  // all workers are in block 0
  const std::span<const double> weights = std::get<buffer<double>>(forest_.weights.held()).span();
  hand_over(forest_.edges, weights, *collected_, facts_.vertices ? called::by_position : called::by_name, input_.memory,
            std::max(1u, facts_.workers));
  forest_ = {};
}

}  // namespace copse::api
