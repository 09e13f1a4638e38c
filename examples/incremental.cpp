// Components of edges that arrive in batches, with questions in between. No edge is kept: a batch costs what is in it.
#include <fmt/core.h>
#include <copse/incremental.hpp>

#include <vector>

using copse::edge;
using copse::operation;

int main() {
  copse::incremental live;  // from() goes on from labels or a graph, open() from a file
  const std::vector<edge<std::uint32_t>> monday{{7, 3}, {3, 9}, {4, 4}};
  live.insert(monday);  // vertices appear with the edges that name them
  fmt::print("{} vertices, {} components\n", live.vertices(), live.count());
  if (!live.connected(7, 9) || live.connected(7, 4) || live.size_of(9) != 3) return 1;

  // Inserts and queries in one batch, one bit for each pair. Phased: queries see all inserts of their batch.
  const std::vector<edge<std::uint32_t>> tuesday{{4, 3}, {4, 7}};
  const std::vector<operation> kinds{operation::insert, operation::query};
  const auto answers = live.apply(tuesday, kinds, copse::mixing::phased);
  fmt::print("4 and 7 are {}connected\n", answers[1] ? "" : "not ");

  // Another worker's structure joins in; the order of merges does not matter.
  copse::incremental elsewhere;
  elsewhere.insert(std::vector<edge<std::uint32_t>>{{20, 21}, {21, 9}});
  live.merge(elsewhere);

  // The file is replaced as a whole, and any variant opens what any other saved.
  live.save("live.copse");
  const auto again = copse::incremental::open("live.copse");
  fmt::print("{} vertices, {} components after opening it again\n", again.vertices(), again.count());
  return again.count() == 1 && again.vertices() == 6 ? 0 : 1;
}
