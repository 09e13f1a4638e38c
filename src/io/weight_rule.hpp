// Decides which edges are taken by their weights, in all formats. A weight that is not a number is refused by the reader, which knows its
// line, unless the options name it as a missing value.
#pragma once
#include "io/request.hpp"

#include <copse/io.hpp>
#include <copse/weighted_graph.hpp>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>

namespace copse::io {

enum class weight_verdict : std::uint8_t { taken, light, missing, not_a_number };

struct judged_weight {
  weight_verdict verdict;
  double weight;
};

class weight_rule {
public:
  /// options.min_weight is rounded to the precision of the weights in the file; if it is not set, all weights are taken.
  explicit weight_rule(const read_request& options, weight_precision precision = weight_precision::full);

  [[nodiscard]] weight_verdict verdict_of(double weight) const noexcept {
    if (weight >= least_) return weight_verdict::taken;
    if (weight == weight) return weight_verdict::light;
    return nan_is_missing_ ? weight_verdict::missing : weight_verdict::not_a_number;
  }
  /// Judges a field, which must have no blanks around it. The verdict is `missing` for the words in options.missing, and for every spelling
  /// of NaN if one of these words is a NaN.
  [[nodiscard]] judged_weight judge(std::string_view field) const;
  [[nodiscard]] bool takes(double weight) const noexcept { return weight >= least_; }

  /// The counts of one worker.
  struct tally {
    bool reached = false;  ///< true if some weight is at least the least weight
    std::uint64_t light = 0, missing = 0;
    double largest = -std::numeric_limits<double>::infinity();  ///< the largest weight below the least weight

    /// Counts the weight; returns true if the edge is kept.
    bool count(judged_weight found) noexcept {
      if (found.verdict == weight_verdict::taken) return reached = true;
      if (found.verdict == weight_verdict::missing) ++missing;
      if (found.verdict != weight_verdict::light) return false;
      ++light;
      largest = found.weight > largest ? found.weight : largest;
      return false;
    }
  };
  void add(const tally& seen);
  /// Gives the observer notes: how many edges (or arcs) lacked a weight, and that no weight reached the least weight, if so. Adds to
  /// options.counts.
  void tell(std::string_view file, std::string_view entry = "edge") const;

private:
  const read_request& options_;
  double least_;
  bool nan_is_missing_ = false;
  std::mutex guard_;
  tally all_;
};

/// The value that readers of rows store for a weight until arcs are left out by their weights: NaN if the weight is missing.
inline double weight_in_rows(judged_weight found) noexcept {
  return found.verdict == weight_verdict::missing ? std::numeric_limits<double>::quiet_NaN() : found.weight;
}

/// The text of the note that no weight reached the threshold.
std::string unreached_text(double threshold, double largest);

/// Options for reading all edges with their weights: if there is no least weight, it becomes minus infinity. So all weights are taken, but
/// a weight that is not a number is refused.
template <class Options>
Options with_all_weights(Options options) {
  if (!options.min_weight) options.min_weight = -std::numeric_limits<double>::infinity();
  return options;
}

}  // namespace copse::io
