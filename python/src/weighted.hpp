// The class of weighted forests of the Python module, with the structures that are computed from a forest.
#pragma once
#include <copse/hierarchy.hpp>
#include <copse/labels.hpp>
#include <copse/rooted_forest.hpp>
#include <copse/weighted_forest.hpp>
#include <copse/weighted_graph.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "call.hpp"
#include "labels.hpp"

namespace copse::python {

class held_weighted_forest {
public:
  held_weighted_forest(weighted_forest_result forest, call_memory memory, std::vector<std::string> notes = {})
      : memory_{std::move(memory)}, contents_{std::make_shared<contents>(std::move(forest))}, notes_{std::move(notes)} {}

  [[nodiscard]] const weighted_forest_result& forest() const noexcept { return contents_->forest; }
  [[nodiscard]] forest_goal goal() const noexcept { return contents_->forest.goal; }
  [[nodiscard]] const call_memory& memory() const noexcept { return memory_; }
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }

  // Each of these functions makes its result in the first call, and returns the same one in later calls. Any number of threads may call
  // them. They throw usage_error for a minimum forest.
  [[nodiscard]] const hierarchy& joined() const;
  [[nodiscard]] const bottlenecks& weakest() const;
  [[nodiscard]] const rooted_forest& rooted() const;

private:
  struct contents {
    explicit contents(weighted_forest_result found) : forest{std::move(found)} {}
    weighted_forest_result forest;
    std::mutex mutex;
    std::optional<hierarchy> joined;
    std::optional<bottlenecks> weakest;
    std::optional<rooted_forest> rooted;
  };
  const hierarchy& joined_locked() const;

  call_memory memory_;  // first, so that it is destroyed last
  std::shared_ptr<contents> contents_;
  std::vector<std::string> notes_;
};

/// Returns the precision of weights of a NumPy type such as `float32`.
weight_precision precision_named(const std::string& dtype);

/// Returns `labels` for Python, with the report of the forest that they were computed from.
held_labels labels_of_forest(const held_weighted_forest& from, labelling labels);

}  // namespace copse::python
