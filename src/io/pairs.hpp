// Passes pairs of ids in a binary file on to a sink, in blocks: from bytes in memory, or from a stream, of which only the current blocks
// are in memory.
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

/// Pairs [begin, end) of an array that holds the ids u and v of all pairs (u, v): u and v alternate, or all v come after all u. The
/// vertices are the ids that occur, unless options.vertices declares them; pass_on() then refuses the first id in file order that is not
/// declared.
struct packed_pairs {
  packed_integers all = {};  ///< the items of the array
  std::uint64_t begin = 0, end = 0;
  std::uint64_t first_v = 1;  ///< index of the first v; the first u has index 0
  std::uint64_t stride = 2;   ///< distance between one u and the next, in items
};
/// Passes pairs on to a sink, in parallel.
void pass_on(const packed_pairs& pairs, const read_request& options, edge_sink& sink);

/// The pairs that follow in a stream, with the two ids of each pair next to each other.
struct streamed_pairs {
  byte_stream& from;
  packed_integers like;                     ///< how ids are stored, and the file for error messages; its bytes are not used
  std::optional<std::uint64_t> count = {};  ///< pairs after this many are only counted
  /// If set, called with the bytes of the pairs in each block, in file order.
  std::function<void(std::string_view bytes)> see = {};
  /// Called at the end with the number of bytes in the input; throws if these are too few or too many.
  std::function<void(std::uint64_t bytes)> expect_end;
};
/// Passes the pairs on in blocks: while one worker reads a block, others pass theirs on.
void pass_on(const streamed_pairs& pairs, const read_request& options, edge_sink& sink);

/// Detects pairs of 64-bit ids in a file that is read as 32-bit ids, which would give twice as many edges, all wrong. If the 64-bit ids are
/// small, they look like pairs of 32-bit ids whose second id is always 0.
class wide_pairs {
public:
  void see(std::uint64_t u, std::uint64_t v) noexcept {
    zeros_only_ = zeros_only_ && v == 0;
    any_ = any_ || u != 0;
    ++pairs_;
  }
  /// False once a second id was not 0. If the pairs are small 64-bit ids, each second id is the upper half of one of these, and is 0.
  [[nodiscard]] bool possible() const noexcept { return zeros_only_; }
  /// Throws if the pairs of a file are 64-bit ids. To be called after see() for all pairs.
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
