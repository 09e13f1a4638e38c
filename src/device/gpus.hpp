// The GPUs of a call that takes one or several, and how edges are streamed through them.
#pragma once
#include <copse/execution.hpp>

#include <cstdint>
#include <vector>

namespace copse::device {

/// The GPUs that `on` names, those of cuda:all, and GPU 0 where it names the CPU. One where there is no GPU at all: the solve on it says
/// so. Throws usage_error for the CPU and a GPU together.
std::vector<unsigned> gpus_of(const execution& on);

struct streaming_options {
  std::uint64_t piece_bytes = 0;  ///< each GPU has two to eight, as its memory allows; 0: 64 MiB, or what fits
  bool keep_forest = false;       ///< also the edges that joined two components: 8 bytes per vertex more
};

/// The bytes that each GPU must have free, at least, for edges between `vertices` vertices.
std::uint64_t bytes_to_stream(std::uint32_t vertices, bool keep_forest = false) noexcept;
/// What each must have free for vertices that are not known before, as those of an edge list in text: with this much, any such list is
/// streamed. Parents get room for half as many again when they have to grow, and the old ones exist next to them until then.
std::uint64_t bytes_to_stream_growing(std::uint32_t vertices) noexcept;

}  // namespace copse::device
