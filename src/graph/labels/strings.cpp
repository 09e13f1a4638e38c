// Converts the names of vertices and of their labels to columns of a table.
#include "core/parallel.hpp"

#include <copse/labels.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string_view>
#include <variant>
#include <vector>

namespace copse {
namespace {

constexpr std::size_t block = std::size_t{1} << 16;
constexpr std::size_t names_ahead = 16;

}  // namespace

buffer<std::uint64_t> name_offsets(const vertex_names& names, const execution& on) {
  buffer<std::uint64_t> offsets{names.size() + 1, on.memory};
  offsets[0] = 0;
  if (names.size() == 0) return offsets;
  const char* const first = names.string(0).data();
  parallel_blocks(usable_threads(on.threads), names.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view name = names.string(i);
      offsets[i + 1] = static_cast<std::uint64_t>(name.data() - first) + name.size();
    }
  });
  return offsets;
}

string_column label_strings(const labelling& labels, const execution& on) {
  const vertex_names& names = labels.names();
  const unsigned crew = usable_threads(on.threads);
  return std::visit(
      [&](const auto& from) {
        const std::size_t rows = from.size();
        string_column column{buffer<std::uint64_t>{rows + 1, on.memory}, {}};
        column.offsets[0] = 0;
        // size of each block in bytes, later the offset of its first byte
        std::vector<std::uint64_t> starts((rows + block - 1) / block + 1);
        parallel_blocks(crew, rows, block, [&](std::size_t begin, std::size_t end) {
          std::uint64_t bytes = 0;
          for (std::size_t i = begin; i < end; ++i) bytes += names.string(from[i]).size();
          starts[begin / block + 1] = bytes;
        });
        std::partial_sum(starts.begin(), starts.end(), starts.begin());
        column.bytes = buffer<char>{starts.back(), on.memory};
        parallel_blocks(crew, rows, block, [&](std::size_t begin, std::size_t end) {
          std::uint64_t at = starts[begin / block];
          for (std::size_t i = begin; i < end; ++i) {
            __builtin_prefetch(names.string(from[std::min(i + names_ahead, end - 1)]).data());
            const std::string_view name = names.string(from[i]);
            if (!name.empty()) std::memcpy(column.bytes.data() + at, name.data(), name.size());
            at += name.size();
            column.offsets[i + 1] = at;
          }
        });
        return column;
      },
      labels.labels());
}

}  // namespace copse
