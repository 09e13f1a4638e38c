// The table of ways to rank lists, and which of them auto takes.
#pragma once
#include <copse/list_ranking.hpp>
#include <list_ranking/solve.hpp>

#include <string>

namespace copse::list_ranking {

enum class device : std::uint8_t { serial, threads, cuda, hybrid };

struct table_entry {
  rank_variant described;
  device where;
  algorithm method;
  bool splitters_on_cpu = false;  ///< cuda: the list of splitters is ranked by the CPU, as Wei and JaJa do
};

/// The variant of that name. Throws usage_error with the known names.
const table_entry& entry_named(std::string_view name);

/// A name of the table, and why.
struct choice {
  std::string_view name;
  std::string why;
};
choice choose(std::uint64_t elements, unsigned threads, bool on_gpu);

}  // namespace copse::list_ranking
