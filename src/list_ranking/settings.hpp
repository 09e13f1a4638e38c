// The settings of an algorithm, and what it reports.
#pragma once
#include <copse/list_ranking.hpp>
#include <core/phase_times.hpp>

namespace copse::list_ranking {

struct settings {
  rank_origin from = rank_origin::end;
  unsigned rounds = 0;
  std::uint64_t splitters = 0;
  unsigned in_flight = 64;
  std::uint64_t seed = 1;
  /// A sublist of a helman_jaja that counts is cut anew after 2^this elements; the words leave room for no more than they have bits. Tests
  /// make it small.
  unsigned local_bits_at_most = 64;
  /// On a GPU, from so many elements on walks that count note what they visit (cuda/visits.cuh). Tests make it small.
  std::uint64_t notes_from = std::uint64_t{3} << 23;
  std::pmr::memory_resource* memory = host_memory();
};

struct outcome {
  std::uint64_t lists = 0;
  phase_times phases;
  std::vector<rank_round> rounds;
};

}  // namespace copse::list_ranking
