// Trials of many contenders on one graph: interleaved rounds, screening, giving up, and the check of every answer. Knows nothing of graphs
// or variants, so that its tests can bring contenders that are wrong, slow or out of memory.
//
// What ran just before decides what the caches hold and whether a team of threads is there, and with a fixed order that is the same
// neighbour in every round. So every sample is taken right after an untimed solve of the same contender, and the order changes from round
// to round (bench_order.hpp).
#pragma once
#include <copse/options.hpp>
#include <copse/report.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace copse::cli {

/// What one solve came to.
struct solved_once {
  std::string ran;  ///< the variant that ran, where the contender is a chooser
  double seconds = 0;
  std::uint64_t checksum = 0;
  unsigned launches = 0;  ///< of kernels, on a GPU
};

struct contender {
  std::string variant;
  std::string input;  ///< csr or coo
  unsigned threads = 1;
  /// Throws cancelled when the observer asks to stop, resource_error when memory ends.
  std::function<solved_once(observer&)> solve;
};

struct trial_plan {
  unsigned trials = 5;
  /// Screening: after one solve of every contender only those within this factor of the best run the trials.
  std::optional<double> within = std::nullopt;
  /// A solve is cancelled when it takes longer than this factor of the best finished so far (and than the grace).
  std::optional<double> give_up = std::nullopt;
  double grace_seconds = 0.5;
  /// A contender whose solve takes longer has no untimed one before it: filling all caches is a few hundredths of that.
  double settle_below_seconds = 1;
  std::uint64_t seed = 1;  ///< of the order of turns
};

struct measurement {
  std::string variant{}, input{};
  unsigned threads = 1;
  std::string ran = {};
  unsigned launches = 0;                  ///< of kernels in one solve, on a GPU
  std::vector<double> samples = {};       ///< seconds, in the order in which they were taken
  std::vector<std::uint32_t> turns = {};  ///< of each sample, its place in its round, from 1
  bool screened_out = false;              ///< its one sample is that of the screening round
  std::optional<double> gave_up_after_seconds = std::nullopt;
  std::optional<std::uint64_t> wrong_checksum = std::nullopt;  ///< it gave other labels than the reference
  std::string failed = {};                                     ///< why it could not run
  std::optional<work_counts> work = std::nullopt;              ///< counted in a solve of its own, which is not among the samples

  /// Infinite without a sample.
  [[nodiscard]] double min_seconds() const;
  [[nodiscard]] double median_seconds() const;
};

/// Called before every solve, to show progress.
using trial_watcher = std::function<void(const std::string& where)>;

/// Measures all contenders, in another order in every round. `reference` is a finished solve whose checksum is right; its time counts as
/// the first best. With screening there is one more round before the others. Sorted by median; contenders without a sample last.
std::vector<measurement> measure(std::span<const contender> contenders, const trial_plan& plan, const solved_once& reference,
                                 const trial_watcher& watcher);

}  // namespace copse::cli
