#include "io/believed_head.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <string>

namespace copse::io {

void refuse_unlikely_vertices(std::string_view file, std::uint64_t line, std::uint64_t vertices, std::uint64_t bytes,
                              const read_options& options) {
  constexpr std::uint64_t always_fine = std::uint64_t{1} << 26;  // their labels are 256 MiB
  constexpr std::uint64_t per_byte = 16;
  if (options.trust_head || vertices <= always_fine) return;
  if (bytes == UINT64_MAX) {
    if (vertices > 4 * always_fine && options.observer != nullptr) {
      options.observer->note(std::string{file} + ": its head declares " + std::to_string(vertices) + " vertices: their labels alone take " +
                             std::to_string(vertices / (std::uint64_t{1} << (vertices >> 32 == 0 ? 28 : 27))) + " GiB");
    }
    return;
  }
  if (vertices / per_byte <= bytes) return;
  throw input_error::at(file, line, std::to_string(vertices) + " vertices declared in a file of " + std::to_string(bytes) + " bytes",
                        "at most " + std::to_string(std::max(always_fine, per_byte * bytes)) +
                            " in so short a file (the option memory LIMIT says that there is room for more)");
}

}  // namespace copse::io
