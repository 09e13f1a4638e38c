// What a caller may ask of list ranking, and what it tells of a run.
#pragma once
#include <copse/core/memory.hpp>
#include <copse/core/observer.hpp>
#include <copse/core/phases.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace copse {

/// Where ranks begin to count: the end of the list (rank 0 is the tail), or its head.
enum class rank_origin : std::uint8_t { end, head };

/// How weights along a list are put together.
enum class rank_operation : std::uint8_t { sum, min, max };

struct rank_options {
  std::string variant = "auto";  ///< a name of rank_variants(), or auto
  rank_origin from = rank_origin::end;
  unsigned threads = 0;  ///< 0: all cores that the process may use
  /// r of the variants fis: rounds that remove a fractional independent set. Not set: 4 log log n, as the paper found best.
  std::optional<unsigned> rounds = std::nullopt;
  /// s of the variants helman_jaja and fis: sublists are cut at so many elements. Not set: some for every thread.
  std::optional<std::uint64_t> splitters = std::nullopt;
  unsigned in_flight = 64;                     ///< sublists that one thread of the CPU walks at once, 1 to 256
  std::uint64_t seed = 1;                      ///< of everything random; the ranks do not depend on it
  std::optional<unsigned> gpu = std::nullopt;  ///< rank on this GPU; without it variants of cuda and hybrid run on GPU 0
  copse::observer* observer = nullptr;
  std::pmr::memory_resource* memory = host_memory();
};

/// One round of a variant fis, as Table II of the paper has it. On the CPU there is nothing to generate ahead or to transfer.
struct rank_round {
  std::uint64_t elements = 0;   ///< of the list when the round began
  double generate_seconds = 0;  ///< hybrid: random bits, on the CPU, while the GPU is busy with the round before
  double transfer_seconds = 0;  ///< hybrid: these bits to the GPU
  double remove_seconds = 0;    ///< the independent set found and taken out
};

/// What a run did, beside the ranks. Seconds are wall-clock; of a GPU, by its clock.
struct rank_report {
  std::string variant;         ///< the one that ran; never auto
  std::string explanation;     ///< why auto chose it; empty when the caller did
  std::string device = "cpu";  ///< or cuda:i
  unsigned threads = 1;
  std::uint64_t lists = 0;
  std::uint64_t splitters = 0;     ///< s; 0 where there are none
  double solve_seconds = 0;        ///< from the successors to the ranks, the check included
  double copy_seconds = 0;         ///< waking a GPU and the copies there and back; no part of solve_seconds
  std::vector<phase> phases;       ///< where solve_seconds went; of fis: reduce, rank, reinsert are the paper's phases I, II, III
  std::vector<rank_round> rounds;  ///< of fis
};

}  // namespace copse
