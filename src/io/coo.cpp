// Raw little-endian pairs without a header: uint32 in `coo`, uint64 in `coo64`. The ids that occur are the vertices, as in an edge list in
// text.
#include "io/pairs.hpp"
#include "io/readers.hpp"

#include <cstddef>

namespace copse::io {
namespace {

/// Detects pairs of 64-bit ids in a file that is read as pairs of 32-bit ids.
class width_watch {
public:
  /// Looks for signs of 64-bit ids in the next bytes of the file, which must be whole pairs.
  void see(std::string_view bytes) {
    for (std::size_t at = 0; at + 8 <= bytes.size() && wide_.possible(); at += 8) {
      wide_.see(load<std::uint32_t>(bytes.data() + at), load<std::uint32_t>(bytes.data() + at + 4));
    }
    for (std::size_t at = 0; at + 8 <= bytes.size() && looked_ < most_pairs; at += 8, ++looked_) {
      zeros_ += load<std::uint32_t>(bytes.data() + at + 4) == 0 ? 1 : 0;
    }
  }
  /// Throws if the pairs are certainly of 64-bit ids. To be called after the whole file was seen.
  void refuse(std::string_view file) const { wide_.refuse(file); }
  /// True if the pairs may be of 64-bit ids: at least three quarters of the second ids examined are 0, as the upper halves of small 64-bit
  /// ids are. A star graph looks like that, too, so this only leads to a note. Files with fewer than `fewest_pairs` pairs give none.
  [[nodiscard]] bool may_be_wide(std::uint64_t file_bytes) const {
    constexpr std::size_t fewest_pairs = 16;
    return looked_ >= fewest_pairs && file_bytes % 16 == 0 && 4 * zeros_ >= 3 * looked_;
  }

private:
  static constexpr std::size_t most_pairs = 4096;

  wide_pairs wide_;
  std::size_t looked_ = 0, zeros_ = 0;
};

}  // namespace

void parse_coo(const std::filesystem::path& path, format f, const read_request& options, edge_sink& sink, part_of_file part) {
  const binary_input input{path, options.mapped, options.block_bytes, usable_threads(options.threads), options.memory};
  packed_integers all{.width = f == format::coo64 ? 8u : 4u, .is_signed = options.signed_ids, .file = input.name};
  if (!input.mapping && !part.takes_turn()) return pass_on(packed_pairs{.all = all}, options, sink);
  const bool narrow = all.width == 4, notes = narrow && options.observer != nullptr && (part.first() || !input.mapping);
  width_watch watch;
  const auto expect_end = [&](std::uint64_t bytes) {
    if (bytes % (2 * all.width) != 0) {
      throw input_error::at(
          input.name, 0, std::to_string(bytes) + " bytes",
          "pairs of " + std::to_string(all.width) + "-byte ids, a multiple of " + std::to_string(2 * all.width) + " bytes");
    }
    if (narrow) watch.refuse(input.name);
    if (notes && watch.may_be_wide(bytes)) {
      options.observer->note(input.name + ": most second ids are 0, as in pairs of 64-bit ids (the option format coo64 reads those)");
    }
  };
  const auto see = [&](std::string_view bytes) {
    if (narrow) watch.see(bytes);
  };
  if (!input.mapping)
    return pass_on(streamed_pairs{.from = *input.stream, .like = all, .see = see, .expect_end = expect_end}, options, sink);
  all.bytes = input.mapping->bytes();
  see(all.bytes);
  expect_end(all.bytes.size());
  const std::uint64_t count = all.size() / 2;
  pass_on(packed_pairs{all, part.begin_of(part.index, count), part.begin_of(part.index + 1, count)}, options, sink);
}

}  // namespace copse::io
