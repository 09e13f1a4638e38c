// Pairs of ids as a binary file stores them, passed on to a sink in blocks: of bytes in memory, or of a stream, of which nothing is held
// but the blocks in hand.
#pragma once
#include "io/binary_source.hpp"
#include "io/request.hpp"
#include "io/source.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace copse::io {

/// `us` and `vs` are item 0 of each column, `stride` items apart; pairs [begin, end) of them. Ids that occur are the vertices, unless
/// options.vertices declares them. Refuses the first undeclared id in file order.
struct packed_pairs {
  packed_integers all = {};  ///< both columns
  std::uint64_t begin = 0, end = 0;
  std::uint64_t first_v = 1;  ///< item of the first v; the first u is item 0
  std::uint64_t stride = 2;   ///< items from one u to the next
};
/// Passes pairs on to a sink, in parallel.
void pass_on(const packed_pairs& pairs, const read_request& options, edge_sink& sink);

/// Pairs that a stream gives from where it stands, the two ids of each side by side.
struct streamed_pairs {
  byte_stream& from;
  packed_integers like;                     ///< what they are; no bytes
  std::optional<std::uint64_t> count = {};  ///< pairs beyond this many are counted only
  /// Gets the whole pairs of each block, in file order.
  std::function<void(std::string_view bytes)> see = {};
  /// Called at the end with the number of bytes that the input had: throws if these are too few or too many.
  std::function<void(std::uint64_t bytes)> expect_end;
};
/// Passes pairs on by blocks: one worker reads its block while the others pass on theirs.
void pass_on(const streamed_pairs& pairs, const read_request& options, edge_sink& sink);

/// Pairs of 64-bit ids under the name of pairs of 32-bit ids are twice as many edges, and wrong ones. Where they fit 32 bits they look like
/// pairs of 32-bit ids whose second one is always 0.
class wide_pairs {
public:
  void see(std::uint64_t u, std::uint64_t v) noexcept {
    zeros_only_ = zeros_only_ && v == 0;
    any_ = any_ || u != 0;
    ++pairs_;
  }
  /// True if the pairs that were seen may still be such pairs.
  [[nodiscard]] bool possible() const noexcept { return zeros_only_; }
  /// Throws when all pairs of a file were seen and are such.
  void refuse(std::string_view file) const {
    constexpr std::uint64_t fewest = 4;
    if (!zeros_only_ || !any_ || pairs_ < fewest || pairs_ % 2 != 0) return;
    throw input_error::at(file, 0, "pairs whose second id is 0 in all of them, as pairs of 64-bit ids look",
                          "pairs of 32-bit ids (the option format coo64 reads the others)");
  }

private:
  bool zeros_only_ = true, any_ = false;
  std::uint64_t pairs_ = 0;
};

}  // namespace copse::io
