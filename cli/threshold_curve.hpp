// What thresholds do, as a table and as JSON, and which of them are asked for.
#pragma once
#include <copse/hierarchy.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"

namespace copse::cli {

/// --at and --points.
struct threshold_choice {
  std::vector<double> at;
  std::optional<std::uint64_t> points;

  /// Throws where both are given.
  void require_sense() const;
  /// What those of --at do, or as many as --points, or every one at which components of this maximum forest change.
  [[nodiscard]] std::vector<threshold_point> curve(const graph& forest, weights_view weights, const threshold_options& options) const;
};

/// With a header.
std::string csv_of(const std::vector<threshold_point>& curve);
json json_of(const std::vector<threshold_point>& curve);
/// "-" is standard output.
void write_curve(const std::vector<threshold_point>& curve, const std::string& path);
/// A column for each threshold.
void write_labels_at(const std::vector<double>& thresholds, const hierarchy& joined, const std::string& path);

}  // namespace copse::cli
