// How rows are cut for a GPU that cannot hold them: every arc once, with its row, in pieces that keep to their room.
#include <gtest/gtest.h>
#include <device/gpus.hpp>
#include <device/pieces.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace copse::device {
namespace {

using offsets_array = std::vector<std::uint64_t>;

offsets_array offsets_of(const std::vector<std::uint64_t>& degrees) {
  offsets_array offsets{0};
  for (const std::uint64_t degree : degrees) offsets.push_back(offsets.back() + degree);
  return offsets;
}

/// Of graphs that are hard to cut: none, one long row, rows of one arc, rows without arcs at both ends and between, all mixed.
std::vector<offsets_array> hard_rows() {
  std::vector<offsets_array> all{offsets_of({1}), offsets_of({1000}), offsets_of(std::vector<std::uint64_t>(100, 1))};
  std::vector<std::uint64_t> sparse(500, 0);
  sparse[7] = 3;
  sparse[499] = 1;
  all.push_back(offsets_of(sparse));
  sparse.push_back(0);
  all.push_back(offsets_of(sparse));
  std::mt19937 random{5};
  for (int k = 0; k < 20; ++k) {
    std::vector<std::uint64_t> degrees(1 + random() % 200);
    for (auto& degree : degrees) degree = random() % 4 == 0 ? random() % 90 : random() % 2;
    degrees.front() += 1;
    all.push_back(offsets_of(degrees));
  }
  return all;
}

/// What a GPU does: it has the offsets of the piece's rows and one more, and nothing else.
std::vector<std::uint64_t> rows_told_by(const offsets_array& whole, const rows_piece& piece) {
  const offsets_array offsets{whole.begin() + static_cast<std::ptrdiff_t>(piece.first_row),
                              whole.begin() + static_cast<std::ptrdiff_t>(piece.first_row + piece.rows + 1)};
  std::vector<std::uint64_t> rows;
  for (std::uint64_t i = 0; i < piece.arcs; ++i) {
    rows.push_back(piece.first_row + row_of(piece.first_arc + i, 0, piece.rows, [&](std::uint64_t r) { return offsets[r]; }));
  }
  return rows;
}

void expect_cut_well(const offsets_array& offsets, std::uint64_t begin, std::uint64_t end, piece_room room) {
  std::vector<std::uint64_t> rows_expected, rows_found;
  for (std::uint64_t arc = begin, row = 0; arc < end; ++arc) {
    while (offsets[row + 1] <= arc) ++row;
    rows_expected.push_back(row);
  }
  std::uint64_t next = begin;
  while (next < end) {
    const rows_piece piece = rows_from(next, end, offsets.size() - 1, room, [&](std::uint64_t r) { return offsets[r]; });
    ASSERT_EQ(piece.first_arc, next);
    ASSERT_GT(piece.arcs, 0u);
    ASSERT_LE(piece.arcs, room.most_arcs);
    ASSERT_LE(piece.rows, room.most_rows);
    ASSERT_LT(piece.first_row + piece.rows, offsets.size());
    next += piece.arcs;
    const auto rows = rows_told_by(offsets, piece);
    rows_found.insert(rows_found.end(), rows.begin(), rows.end());
  }
  EXPECT_EQ(next, end);
  EXPECT_EQ(rows_found, rows_expected);
}

TEST(pieces, of_every_size_hold_each_arc_once) {
  for (const auto& offsets : hard_rows()) {
    for (const std::uint64_t arcs : {1, 2, 3, 7, 64, 5000}) {
      for (const std::uint64_t rows : {1, 2, 5, 5000}) expect_cut_well(offsets, 0, offsets.back(), {rows, arcs});
    }
  }
}

TEST(pieces, of_a_range_cut_its_first_and_last_row) {
  for (const auto& offsets : hard_rows()) {
    for (std::uint64_t each = 1; each <= offsets.back(); each = 3 * each + 1) {
      for (std::uint64_t begin = 0; begin < offsets.back(); begin += each)
        expect_cut_well(offsets, begin, std::min(offsets.back(), begin + each), {3, 4});
    }
  }
}

TEST(pieces, have_room_for_what_is_put_there) {
  for (const std::uint64_t offset_bytes : {4, 8}) {
    for (std::uint64_t bytes = least_piece_bytes; bytes < 4096; bytes += 8) {
      const piece_room room = room_for_rows(bytes, offset_bytes);
      EXPECT_GE(room.most_rows, 1u);
      EXPECT_GE(room.most_arcs, 1u);
      EXPECT_LE((room.most_rows + 1) * offset_bytes + 4 * room.most_arcs, bytes);
      EXPECT_LE(pair_bytes * room.most_arcs, bytes);
    }
  }
}

TEST(pieces, fit_beside_the_forest) {
  for (const std::uint64_t vertices : {std::uint64_t{0}, std::uint64_t{1000}, std::uint64_t{1} << 27}) {
    for (std::uint64_t free_bytes = 0; free_bytes < (std::uint64_t{1} << 34); free_bytes = 2 * free_bytes + 100) {
      const std::uint64_t piece = fitting_piece_bytes(vertices, free_bytes);
      EXPECT_LE(piece, usual_piece_bytes);
      EXPECT_EQ(piece % least_piece_bytes, 0u);
      EXPECT_TRUE(piece == 0 || bytes_of_forest(vertices) + 3 * piece <= free_bytes) << vertices << ", " << free_bytes;
    }
  }
  EXPECT_EQ(fitting_piece_bytes(1000, std::uint64_t{1} << 30), usual_piece_bytes);
  EXPECT_EQ(fitting_piece_bytes(std::uint64_t{1} << 30, std::uint64_t{1} << 32), 0u) << "the parents alone are as large";
}

TEST(pieces, are_as_many_as_fit_beside_a_forest_that_may_grow) {
  const std::uint64_t vertices = 1 << 20, forest = bytes_of_forest(vertices), piece = 1 << 20;
  EXPECT_EQ(fitting_pieces(vertices, forest + 3 * piece, piece), 2u);
  EXPECT_EQ(fitting_pieces(vertices, forest + 7 * piece, piece), 3u);
  EXPECT_EQ(fitting_pieces(vertices, std::uint64_t{1} << 40, piece), 8u);
  EXPECT_EQ(fitting_pieces(vertices, 0, piece), 2u) << "as many as must be; who made them says that there is no room";
  EXPECT_EQ(fitting_pieces(0, std::uint64_t{1} << 40, piece), 2u) << "vertices to come need the memory";
}

// The forest of two and a half times as many vertices stands for the old parents and the new.
TEST(pieces, leave_room_for_a_forest_that_grows) {
  for (std::uint64_t vertices = 1; vertices < (std::uint64_t{1} << 32); vertices = 3 * vertices + 1) {
    const std::uint64_t needed = bytes_to_stream_growing(static_cast<std::uint32_t>(vertices));
    const std::uint64_t forests = bytes_of_forest(vertices * 5 / 2), piece = fitting_piece_bytes(0, needed);
    EXPECT_GT(piece, 0u);
    EXPECT_LE(forests + 3 * piece, needed) << vertices;
    if (const std::uint64_t less = needed - needed / 50; vertices > 1000000) {  // of few vertices what is small beside them counts
      EXPECT_GT(forests + 3 * fitting_piece_bytes(0, less), less) << vertices << ": a fiftieth less would not do";
    }
    EXPECT_GT(needed, bytes_to_stream(static_cast<std::uint32_t>(vertices)));
  }
}

TEST(pieces, leave_room_for_edges_of_a_forest_that_are_kept) {
  constexpr std::uint32_t vertices = 1000000;
  const std::uint64_t needed = bytes_to_stream(vertices, true);
  EXPECT_EQ(needed, bytes_to_stream(vertices) + 8 * vertices);
  EXPECT_EQ(fitting_piece_bytes(vertices, needed, true), least_piece_bytes);
  EXPECT_EQ(fitting_piece_bytes(vertices, needed - 3, true), 0u);
}

}  // namespace
}  // namespace copse::device
