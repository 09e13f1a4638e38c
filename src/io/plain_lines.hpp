// The commonest simple lines, `digits separator digits LF` and nothing else, in two passes without a branch that a line decides.
#pragma once
#include "io/simple_lines.hpp"

#include <copse/views.hpp>

#include <cstddef>
#include <string_view>

namespace copse::io {

/// Bytes behind the text that is parsed which may be read.
inline constexpr std::size_t plain_lines_slack = 128;

/// Can this processor run parse_plain_lines? It takes AVX-512 with VBMI2.
bool has_plain_lines() noexcept;

/// As parse_simple_lines, but stops at any other line, and leaves `plain_lines_slack` bytes.
const char* parse_plain_lines(std::string_view text, const line_shape& shape, edge<std::uint64_t>* out, std::size_t room,
                              std::size_t& parsed);

}  // namespace copse::io
