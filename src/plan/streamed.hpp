// Whether the edges of files are united while they are parsed, so that the graph is not held.
#pragma once
#include <copse/io.hpp>
#include <core/request.hpp>

#include <filesystem>
#include <optional>
#include <span>

namespace copse::plan {

/// Returns how many threads of the CPU may unite the edges of a file, or of several edge lists that are one graph, while they parse them.
/// Returns nothing if the graph must be held in memory. Throws usage_error if one of several files must be held.
std::optional<unsigned> streaming_threads(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                          const solve_request& options);

/// True if one GPU takes the edges of the file while they are parsed.
bool is_streamed_to_gpu(const std::filesystem::path& path, const io::read_options& input, const solve_request& options);

}  // namespace copse::plan
