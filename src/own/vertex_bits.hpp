// One bit a vertex. Words are written by the thread that owns the chunk (chunks are multiples of 64 vertices) and read in later passes.
#pragma once
#include <copse/core/memory.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::own {

class vertex_bits {
public:
  vertex_bits() = default;
  vertex_bits(std::size_t n, std::pmr::memory_resource* memory) : words_{(n + 63) / 64, memory} {}

  [[nodiscard]] std::uint64_t* data() noexcept { return words_.data(); }

private:
  buffer<std::uint64_t> words_;
};

}  // namespace copse::own
