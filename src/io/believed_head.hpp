// How far a head of a few bytes is believed: it must not make a reader allocate gigabytes, unless the rest of the file or the caller says
// that it means it.
#pragma once
#include <copse/io.hpp>

#include <cstdint>
#include <string_view>

namespace copse::io {

/// Refuses more vertices than a file of `bytes` may have. All ones in `bytes`, when a stream does not tell: then a note says what they
/// take. `line` is where they are declared; 0: nowhere in a text.
void refuse_unlikely_vertices(std::string_view file, std::uint64_t line, std::uint64_t vertices, std::uint64_t bytes,
                              const read_options& options);

}  // namespace copse::io
