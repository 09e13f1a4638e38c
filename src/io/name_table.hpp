// The strings one worker has seen, each once, numbered in order of appearance.
#pragma once
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <core/seeded_hash.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <list>
#include <string>
#include <string_view>

namespace copse::io {

class name_table {
public:
  explicit name_table(std::pmr::memory_resource* memory) : memory_{memory}, slots_{first_slots, memory}, strings_{first_slots / 2, memory} {
    std::fill(slots_.begin(), slots_.end(), empty);
  }

  /// The number of `name`, a new one when it was not seen before.
  std::uint32_t insert(std::string_view name) {
    std::size_t at = slot(name);
    if (slots_[at] != empty) return slots_[at];
    if (size_ == empty) throw resource_error{"found more than 4294967295 different strings, expected fewer"};
    if (size_ == strings_.size()) {
      grow();
      at = slot(name);
    }
    strings_[size_] = keep(name);
    slots_[at] = size_;
    return size_++;
  }
  /// The number of `name`, or no_vertex when it was not seen.
  [[nodiscard]] std::uint32_t find(std::string_view name) const noexcept { return slots_[slot(name)]; }
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  [[nodiscard]] std::string_view string(std::uint32_t i) const noexcept { return strings_[i]; }

private:
  static constexpr std::uint32_t empty = no_vertex<std::uint32_t>;
  static constexpr std::size_t first_slots = 1024;
  static constexpr std::size_t page_bytes = std::size_t{1} << 16;

  [[nodiscard]] std::size_t slot(std::string_view name) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash_(name) & mask;
    while (slots_[at] != empty && strings_[slots_[at]] != name) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    buffer<std::uint32_t> slots{2 * slots_.size(), memory_};
    buffer<std::string_view> strings{2 * strings_.size(), memory_};
    std::copy(strings_.begin(), strings_.end(), strings.begin());
    slots_ = std::move(slots);
    strings_ = std::move(strings);
    std::fill(slots_.begin(), slots_.end(), empty);
    for (std::uint32_t i = 0; i < size_; ++i) slots_[slot(strings_[i])] = i;
  }
  std::string_view keep(std::string_view name) {
    if (page_left_ < name.size()) {
      pages_.emplace_back(std::max(page_bytes, name.size()), memory_);
      next_ = pages_.back().data();
      page_left_ = pages_.back().size();
    }
    if (name.empty()) return {};
    std::memcpy(next_, name.data(), name.size());
    const std::string_view kept{next_, name.size()};
    next_ += name.size();
    page_left_ -= name.size();
    return kept;
  }

  std::pmr::memory_resource* memory_;
  seeded_hash hash_;
  buffer<std::uint32_t> slots_;
  buffer<std::string_view> strings_;
  std::list<buffer<char>> pages_;
  char* next_ = nullptr;
  std::size_t page_left_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace copse::io
