#include <core/new_pages.hpp>
#include <core/parallel.hpp>
#include <ids/dense_numbers.hpp>

#include <algorithm>

namespace copse::ids {
namespace {

constexpr std::size_t groups_per_block = 256;
constexpr std::size_t words_per_group = 8;

}  // namespace

dense_numbers::dense_numbers(std::uint64_t bound, unsigned threads, std::pmr::memory_resource* memory)
    : threads_{threads}, bits_{(bound + 511) / 512 * words_per_group, memory}, before_{(bound + 511) / 512, memory} {
  parallel_blocks(threads_, before_.size(), groups_per_block, [&](std::size_t begin, std::size_t end) {
    std::fill(bits_.begin() + begin * words_per_group, bits_.begin() + end * words_per_group, 0);
  });
}

std::uint64_t dense_numbers::count_all() {
  parallel_blocks(threads_, before_.size(), groups_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t group = begin; group < end; ++group) {
      std::uint64_t count = 0;
      for (std::size_t word = 0; word < words_per_group; ++word) count += std::popcount(bits_[group * words_per_group + word]);
      before_[group] = count;
    }
  });
  count_ = 0;
  for (std::uint64_t& count : before_) {
    const std::uint64_t marked = count;
    count = count_;
    count_ += marked;
  }
  return count_;
}

buffer<std::uint32_t> dense_numbers::all(std::pmr::memory_resource* memory) const {
  buffer<std::uint32_t> numbers{bits_.size() * 64, memory};
  touch_pages(threads_, numbers.span());
  parallel_blocks(threads_, before_.size(), groups_per_block, [&](std::size_t begin, std::size_t end) {
    auto next = static_cast<std::uint32_t>(before_[begin]);
    for (std::size_t word = begin * words_per_group; word < end * words_per_group; ++word) {
      for (std::size_t bit = 0; bit < 64; ++bit) {
        numbers[64 * word + bit] = next;
        next += static_cast<std::uint32_t>(bits_[word] >> bit & 1);
      }
    }
  });
  return numbers;
}

buffer<std::uint64_t> dense_numbers::ids(std::pmr::memory_resource* memory) const {
  buffer<std::uint64_t> ids{count_, memory};
  touch_pages(threads_, ids.span());
  parallel_blocks(threads_, before_.size(), groups_per_block, [&](std::size_t begin, std::size_t end) {
    std::uint64_t* to = ids.begin() + before_[begin];
    for (std::size_t word = begin * words_per_group; word < end * words_per_group; ++word) {
      for (std::uint64_t bits = bits_[word]; bits != 0; bits &= bits - 1) *to++ = 64 * word + std::countr_zero(bits);
    }
  });
  return ids;
}

}  // namespace copse::ids
