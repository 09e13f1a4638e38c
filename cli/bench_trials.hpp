// Trials of many contenders on one graph: interleaved rounds, screening, giving up, and the check of every answer; and the test that tells
// two sets of samples apart. Knows nothing of graphs or variants, so that its tests can bring contenders that are wrong, slow or out of
// memory.
//
// What ran just before decides what the caches hold and whether a team of threads is there, and with a fixed order that is the same
// neighbour in every round. So every sample is taken right after an untimed solve of the same contender, and the order changes from round
// to round (turn_order()).
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

// A solve runs faster or slower by what ran before it (which lines of the graph the caches
// hold, whether the team of threads is awake), so no contender may keep its place, nor its neighbour, through all rounds.

/// The order of `count` contenders in round `round`, a permutation of 0 .. count - 1: a Williams square of which the seed draws the names
/// and the first line. In any `count` rounds on end that begin at a multiple of it, every contender has every place once; each follows
/// each other equally often in `count` such rounds when it is even, in twice as many when it is odd.
std::vector<std::size_t> turn_order(std::size_t count, std::uint64_t round, std::uint64_t seed);

/// The outcome of one solve.
struct solved_once {
  std::string ran;  ///< the variant that ran, where the contender is a chooser
  double seconds = 0;
  std::uint64_t checksum = 0;
  unsigned launches = 0;                                   ///< kernel launches, on a GPU
  std::optional<std::uint64_t> components = std::nullopt;  ///< set by a program, which has no labels, in place of the checksum
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
  /// Throws cancelled when the observer asks to stop, resource_error when memory ends, program_failure.
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
  std::uint64_t seed = 1;  ///< seed of the order of turns
};

struct measurement {
  std::string variant{}, input{};
  unsigned threads = 1;
  std::string ran = {};
  unsigned launches = 0;                  ///< kernel launches in one solve, on a GPU
  std::vector<double> samples = {};       ///< seconds, in the order in which they were taken
  std::vector<std::uint32_t> turns = {};  ///< per sample, its place in its round, from 1
  bool screened_out = false;              ///< its one sample is that of the screening round
  std::optional<double> gave_up_after_seconds = std::nullopt;
  std::optional<std::uint64_t> wrong_checksum = std::nullopt;    ///< it gave other labels than the reference
  std::optional<std::uint64_t> wrong_components = std::nullopt;  ///< it is a program, and found another number of components
  std::string failed = {};                                       ///< why the variant could not run; empty if it did
  bool program_failed = false;                                   ///< true if it is a program that failed for another reason than memory
  std::optional<work_counts> work = std::nullopt;                ///< counted in a solve of its own, which is not among the samples

  [[nodiscard]] bool wrong() const noexcept { return wrong_checksum || wrong_components; }
  /// Infinite without a sample.
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
