// The GPU techniques that the GConn paper measures one upon the other (section 3.3, Figure 2), each a piece of the loops over rows.
#pragma once
#include <cstdint>

namespace copse {

/// Each but the first has what is before it too, as far as base.
enum class gpu_row_loop : std::uint8_t {
  fused,  ///< ours: passes joined into one, and no waiting for the host. The first arcs of rows are hooked by stores, the roots left over
          ///< listed, and the finish flattens as it lists the vertices outside the giant (rules in rounds: as base)
  base,   ///< k-out sampling by one thread a vertex, an arc of each row a pass; the finish asks every vertex whether it is in the giant
  coalesced,    ///< CSR coalescing: the first two arcs of a row in one pass, by two adjacent threads, which read adjacent words
  reorganised,  ///< edge reorganisation: two threads read two rows so, then swap by a shuffle, and each has both arcs of one row in turn
  gathered,     ///< vertex gathering: the vertices outside the giant are made a list, and the finish walks that
};

}  // namespace copse
