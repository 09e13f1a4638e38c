// Options of inserts by the fast path: each idea is a switch, so that each can be tried alone. All are on by default; users never see them.
#pragma once
#include <fast/solve_list.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::drivers {

struct insert_options {
  bool prefetch = true;      ///< ask for parents before they are needed
  bool grandparents = true;  ///< and for theirs
  bool past_giant = true;    ///< look for a giant, and pass over edges inside it
  bool wide_filter = true;   ///< as those of lists (fast/solve_list.hpp)
  bool name_giant = true;
  bool by_ranges = true;
  bool any_ranges = false;
  bool early_looks = true;
  double least_inside = fast::list_options{}.least_inside;  ///< above 0: without a vote the root is no vertex, perhaps
  std::uint64_t fewest_edges = std::uint64_t{1} << 16;      ///< before the first look: few vertices are in the cache whatever they do
  std::size_t worth_a_thread = 1024;                        ///< edges that take longer than it takes to engage one more thread
};

}  // namespace copse::drivers
