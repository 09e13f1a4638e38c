// Cuts a graph that does not fit a GPU into pieces: a list of edges at any edge, rows at any arc, so that a row longer than a piece is in
// several pieces. The code computes with numbers only and is the same on host and device.
#pragma once
#include <copse/extend/host_device.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::device {

/// Arcs of consecutive rows. The first and the last row may continue outside the piece.
struct rows_piece {
  std::uint64_t first_row, rows, first_arc, arcs;
};

/// The host memory of a piece: one array or two, which are copied to adjacent places on the GPU.
struct host_piece {
  enum class contents : std::uint8_t { pairs, columns, rows };  ///< pairs: edges; columns: sources and targets; rows: offsets and targets
  contents what;
  std::array<std::span<const std::byte>, 2> arrays;
  std::uint64_t count;   ///< the number of edges or arcs in the piece, which become pairs of ids on the GPU
  rows_piece rows = {};  ///< for contents::rows: which rows and arcs of the graph the piece has
  unsigned offset_bytes = 0;
  bool one_direction = false, summed = false;

  [[nodiscard]] std::uint64_t bytes() const noexcept { return arrays[0].size() + arrays[1].size(); }
};

/// How many rows and arcs a piece of CSR rows has at most. A piece has one offset more than rows.
struct piece_room {
  std::uint64_t most_rows, most_arcs;
};

inline constexpr std::uint64_t least_piece_bytes = 64, usual_piece_bytes = std::uint64_t{64} << 20, pair_bytes = 8;

/// The bytes that a forest over `vertices` vertices takes on a GPU (drivers::gpu_live): parents, the bits of the giant and of ids that
/// occurred, some small arrays, and a pair of ids per vertex if edges are kept. Growing takes more, as the old arrays exist next to the new
/// ones.
constexpr std::uint64_t bytes_of_forest(std::uint64_t vertices, bool keeps_edges = false) noexcept {
  return 4 * vertices + vertices / 4 + (keeps_edges ? pair_bytes * vertices : 0) + (std::uint64_t{5} << 19);
}

/// Returns the bytes of a piece for a GPU with `free_bytes` bytes free. Three pieces fit next to the forest: two that are filled in turns,
/// and the pairs of ids to which one is converted. 0 if there is no room for any. If `vertices` is 0, as none is known yet, most of the
/// memory is left for those that will come.
constexpr std::uint64_t fitting_piece_bytes(std::uint64_t vertices, std::uint64_t free_bytes, bool keeps_edges = false) noexcept {
  const std::uint64_t forest = bytes_of_forest(vertices, keeps_edges);
  const std::uint64_t each = free_bytes < forest ? 0 : (free_bytes - forest) / 3 / least_piece_bytes * least_piece_bytes;
  const std::uint64_t most = vertices == 0 ? free_bytes / 16 / least_piece_bytes * least_piece_bytes : usual_piece_bytes;
  return std::min({each, most, usual_piece_bytes});
}

/// Returns how many pieces of `piece_bytes` bytes are filled in turns. Uniting the first edges, and finding the giant (the largest
/// component), may take longer than copying a piece to the GPU: with more than two pieces, copies need not wait for that. Half of the
/// remaining memory is left for vertices that are still to come.
constexpr unsigned fitting_pieces(std::uint64_t vertices, std::uint64_t free_bytes, std::uint64_t piece_bytes,
                                  bool keeps_edges = false) noexcept {
  constexpr std::uint64_t least = 2, most = 8;
  const std::uint64_t forest = bytes_of_forest(vertices, keeps_edges), pairs = piece_bytes;
  if (vertices == 0 || free_bytes < forest + pairs) return least;
  return static_cast<unsigned>(std::clamp((free_bytes - forest - pairs) / 2 / piece_bytes, least, most));
}

/// Returns the largest piece of rows in `piece_bytes` bytes: first offsets, then targets. Its arcs become pairs of ids in a second array of
/// as many bytes.
constexpr piece_room room_for_rows(std::uint64_t piece_bytes, std::uint64_t offset_bytes) noexcept {
  const std::uint64_t arcs = piece_bytes / pair_bytes;
  return {(piece_bytes - 4 * arcs) / offset_bytes - 1, arcs};
}

/// Returns the last of the rows [row, beyond) whose offset is not above `arc`. Precondition: offset_of(row) <= arc, and offsets ascend.
template <class OffsetOf>
COPSE_HOST_DEVICE std::uint64_t row_of(std::uint64_t arc, std::uint64_t row, std::uint64_t beyond, OffsetOf offset_of) {
  while (beyond - row > 1) {
    const std::uint64_t middle = row + (beyond - row) / 2;
    (offset_of(middle) <= arc ? row : beyond) = middle;
  }
  return row;
}

/// Returns the piece that begins with arc `begin` and ends at `end` or before. Rows without arcs are in a piece only if they are between
/// others. Precondition: begin < end, which is at most the number of arcs.
template <class OffsetOf>
rows_piece rows_from(std::uint64_t begin, std::uint64_t end, std::uint64_t vertices, piece_room room, OffsetOf offset_of) {
  const std::uint64_t first = row_of(begin, 0, vertices, offset_of);
  std::uint64_t stop = std::min(end, begin + room.most_arcs);
  if (vertices - first > room.most_rows) stop = std::min<std::uint64_t>(stop, offset_of(first + room.most_rows));
  const std::uint64_t last = row_of(stop - 1, first, std::min(vertices, first + room.most_rows), offset_of);
  return {first, last - first + 1, begin, stop - begin};
}

}  // namespace copse::device
