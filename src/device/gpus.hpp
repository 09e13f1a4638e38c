// The GPUs of a call that takes one or several of them, and the memory for streaming edges through them.
#pragma once
#include <copse/execution.hpp>

#include <cstdint>
#include <vector>

namespace copse::device {

/// The GPUs that `on` names; all GPUs for cuda:all; GPU 0 if `on` names the CPU. One GPU even if the machine has none: the solve then
/// throws. Throws usage_error for the CPU and a GPU together.
std::vector<unsigned> gpus_of(const execution& on);

struct streaming_options {
  std::uint64_t piece_bytes = 0;  ///< bytes of a piece, of which each GPU has two to eight, as its memory allows; 0: 64 MiB, or what fits
  bool keep_forest = false;       ///< keeps the edges that joined two components, which takes 8 bytes per vertex more
};

/// The bytes that each GPU must have free, at least, for edges between `vertices` vertices.
std::uint64_t bytes_to_stream(std::uint32_t vertices, bool keep_forest = false) noexcept;
/// The bytes that each GPU must have free to stream an edge list whose number of vertices becomes known only while it is read, as in text,
/// and is at most `vertices` in the end. When parents have to grow, they get room for half as many again, and the old array exists next to
/// the new one until then.
std::uint64_t bytes_to_stream_growing(std::uint32_t vertices) noexcept;

}  // namespace copse::device
