// Trials of many contenders on one graph: interleaved rounds, screening, giving up, and the check of every answer; and the test that tells
// two sets of samples apart. It does not depend on graphs or variants, so that tests can use contenders that are wrong, slow or out of
// memory.
//
// The solve before a sample decides what the caches hold and whether the threads are awake, and in a fixed order every contender would
// always follow the same other one. So every sample is taken right after an untimed solve of the same contender, and the order changes from
// round to round (turn_order()).
#pragma once
#include <copse/execution.hpp>
#include <copse/report.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace copse::cli {

// The time of a solve depends on what ran before it (which lines of the graph the caches hold, whether the threads are awake). So the
// place of a contender, and the one that it follows, change from round to round.

/// The order of `count` contenders in round `round`, a permutation of 0 .. count - 1: one line of a Williams square (a balanced
/// Latin square), whose first line and assignment of contenders are drawn by the seed. In `count` consecutive rounds that begin at a
/// multiple of `count`, every contender has every place once. Every contender follows every other one equally often in `count` rounds if
/// `count` is even, in 2 * `count` rounds if it is odd.
std::vector<std::size_t> turn_order(std::size_t count, std::uint64_t round, std::uint64_t seed);

/// The outcome of one solve.
struct solved_once {
  std::string ran;  ///< the variant that ran, if the contender is a rule that chooses one, such as auto
  double seconds = 0;
  std::uint64_t checksum = 0;
  unsigned launches = 0;                                   ///< kernel launches, on a GPU
  std::optional<std::uint64_t> components = std::nullopt;  ///< set by programs instead of the checksum, as they return no labels
};

/// A program ended without an answer.
class program_failure : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

struct contender {
  std::string variant;
  std::string input;     ///< csr or coo, or program for a process of its own, which has no untimed solve before it
  unsigned threads = 1;  ///< 0 if unknown
  /// Solves once. Throws cancelled when the observer asks to stop, resource_error when memory ends, and program_failure when a program ends
  /// without an answer.
  std::function<solved_once(observer&)> solve;
};

struct trial_plan {
  unsigned trials = 5;
  /// Screening: after one solve of every contender only those within this factor of the best run the trials.
  std::optional<double> within = std::nullopt;
  /// A solve is cancelled when it takes longer than this factor of the best time so far, and longer than grace_seconds.
  std::optional<double> give_up = std::nullopt;
  double grace_seconds = 0.5;
  /// Contenders whose solve takes longer have no untimed solve before a sample: filling the caches takes a few per cent of such a time.
  double settle_below_seconds = 1;
  std::uint64_t seed = 1;  ///< seed of the order of turns
};

struct measurement {
  std::string variant{}, input{};
  unsigned threads = 1;
  std::string ran = {};
  unsigned launches = 0;                  ///< kernel launches in one solve, on a GPU
  std::vector<double> samples = {};       ///< seconds, in the order in which they were taken
  std::vector<std::uint32_t> turns = {};  ///< per sample, how many contenders had run in its round, this one included
  bool screened_out = false;              ///< true if it was dropped after the screening round, which its only sample is from
  std::optional<double> gave_up_after_seconds = std::nullopt;
  std::optional<std::uint64_t> wrong_checksum = std::nullopt;    ///< checksum of its labels if they differ from the reference
  std::optional<std::uint64_t> wrong_components = std::nullopt;  ///< the number of components that a program printed, if wrong
  std::string failed = {};                                       ///< why the variant could not run; empty if it did
  bool program_failed = false;                                   ///< true if it is a program that failed, except by a lack of memory
  std::optional<work_counts> work = std::nullopt;                ///< counted in a solve of its own, which is not among the samples

  [[nodiscard]] bool wrong() const noexcept { return wrong_checksum || wrong_components; }
  /// The best sample; infinite if there is none.
  [[nodiscard]] double min_seconds() const;
  [[nodiscard]] double median_seconds() const;
};

/// Called before every solve, to show progress.
using trial_watcher = std::function<void(const std::string& where)>;

/// Measures all contenders, in another order in every round. `reference` is a finished solve whose checksum is right, and its number of
/// components if there are programs; its time counts as the first best. With screening there is one more round before the others. Sorted by
/// median; contenders without a sample last.
std::vector<measurement> measure(std::span<const contender> contenders, const trial_plan& plan, const solved_once& reference,
                                 const trial_watcher& watcher);

// Did one of two sets of samples tend to be smaller, or may chance alone have ordered them so? Mann-Whitney U: asks for ranks only, so one
// slow sample of a shared machine weighs no more than any other.

struct rank_test_result {
  double u = 0;  ///< pairs (a, b) with a > b, half a pair for each tie
  double p = 1;  ///< two-sided: how often equal contenders would differ at least so much
  /// -1: b tends to be smaller than a; 1: larger; 0: neither.
  int direction = 0;
};

/// Exact when no two samples are equal and there are at most 60 of them, otherwise the normal approximation with corrections for ties and
/// continuity. Precondition: neither is empty.
rank_test_result rank_test(std::span<const double> a, std::span<const double> b);

/// The smallest p that these numbers of samples can give: where it is large, no difference can be distinguished from chance.
double smallest_p(std::size_t samples_of_a, std::size_t samples_of_b);

}  // namespace copse::cli
