// The ways of a hybrid solve, numbered.
#pragma once
#include <array>
#include <string_view>

#include "hybrid/host_device.hpp"

namespace copse::test {

using id = std::uint32_t;
using hybrid::cpu_part;

template <template <class> class Parents>
using small_blocks = backend::basic_threads<Parents, 8>;

inline constexpr std::array<std::string_view, 5> gpu_part_variants{"threads.none.async.halve", "threads.kout.rem_cas.naive.split_one",
                                                                   "threads.hb.ecl", "threads.none.shiloach_vishkin", "threads.none.soman"};

/// Way number k of many, so that neighbouring shares are solved in different ways.
inline hybrid_way way_number(unsigned k) {
  const auto part = static_cast<cpu_part>(k % hybrid::cpu_part_names.size());
  auto cross = static_cast<cross_rule>(k / 2 % cross_rule_names.size());
  if (part == cpu_part::pieces && cross == cross_rule::keep) cross = cross_rule::min_label;  // its edges between pieces are in no row
  return {.part = part, .cross = cross, .gpu_variant = gpu_part_variants[k / 4 % gpu_part_variants.size()], .threads = 1 + k / 3 % 3};
}

}  // namespace copse::test
