// The names of the vertices of a dynamic graph: an id map numbers them in the order of their arrival, and names are found by number.
#pragma once
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <dynamic/connectivity.hpp>
#include <dynamic/state_bytes.hpp>
#include <ids/id_map.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <deque>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse::dynamics {

template <dynamic_id Id>
class vertex_numbers {
public:
  static constexpr bool are_ids = false;  // true if ids are their own numbers
  static constexpr bool of_strings = std::same_as<Id, std::string_view>;
  using key = std::conditional_t<of_strings, std::string_view, std::uint64_t>;

  explicit vertex_numbers(std::pmr::memory_resource* memory) : map_{1, memory}, names_{memory}, chunks_{memory} {}

  /// Looks up `count` ids, which name_of(i) returns, and calls use(i, number). New ids get a number if `adds`, otherwise `none`. Calls that
  /// add nothing may overlap. For dense ids, `threads` threads call both functions.
  template <class NameOf, class Use>
  void number(std::size_t count, bool adds, NameOf name_of, Use use, unsigned /*threads*/ = 1) {
    for (std::size_t begin = 0; begin < count;) {
      const std::lock_guard lock{mutex_};  // snapshots look up ids while batches are applied
      const std::span<key> room = map_.room(0);
      const std::size_t size = std::min(room.size(), count - begin);
      for (std::size_t i = 0; i < size; ++i) room[i] = static_cast<key>(name_of(begin + i));
      const auto numbers = adds ? map_.number(0, size, false) : map_.find(0, size);
      for (std::size_t i = 0; i < size; ++i) {
        if (adds) keep(numbers[i], room[i]);
        use(begin + i, numbers[i]);
      }
      begin += size;
    }
  }
  [[nodiscard]] std::uint32_t find(Id id) {
    std::uint32_t found = none;
    number(
        1, false, [&](std::size_t) { return id; }, [&](std::size_t, std::uint32_t number) { found = number; });
    return found;
  }
  [[nodiscard]] Id name(std::uint32_t number) const noexcept { return static_cast<Id>(names_[number]); }
  [[nodiscard]] bool less(std::uint32_t a, std::uint32_t b) const noexcept { return name(a) < name(b); }
  [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(names_.size()); }

  void save(byte_sink& to, const renumbering& now) const {
    to.value(now.count(count()));
    if constexpr (of_strings) now.for_each(count(), [&](std::uint32_t v) { to.value(static_cast<std::uint32_t>(names_[v].size())); });
    now.for_each(count(), [&](std::uint32_t v) {
      if constexpr (of_strings) {
        to.bytes(names_[v]);
      } else {
        to.value(names_[v]);
      }
    });
  }
  /// Reads what save() wrote. Precondition: there are no names yet.
  void load(byte_source& from) {
    const auto count = from.value<std::uint32_t>();
    std::vector<std::uint32_t> sizes;
    if constexpr (!of_strings) map_.reserve(count);
    for (std::uint32_t i = 0; of_strings && i < count; ++i) sizes.push_back(from.value<std::uint32_t>());
    for (std::uint32_t begin = 0; begin < count;) {
      const std::span<key> room = map_.room(0);
      const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(room.size(), count - begin));
      for (std::uint32_t i = 0; i < size; ++i) {
        if constexpr (of_strings) {
          char* const bytes = chunk_for(sizes[begin + i]);
          from.bytes(bytes, sizes[begin + i]);
          room[i] = {bytes, sizes[begin + i]};
        } else {
          room[i] = from.value<key>();
        }
        names_.push_back(room[i]);
      }
      if (!map_.adopt(size)) throw input_error{"found an id twice in the state of a dynamic graph, expected an undamaged file"};
      begin += size;
    }
    kept_.assign(count, true);
  }

private:
  // Returns room for the bytes of one string.
  char* chunk_for(std::size_t size) {
    if (size > chunk_left_) {
      chunk_left_ = std::max<std::size_t>(size, std::size_t{1} << 16);
      chunks_.emplace_back(chunk_left_);
      chunk_next_ = chunks_.back().data();
    }
    chunk_left_ -= size;
    return std::exchange(chunk_next_, chunk_next_ + size);
  }
  void keep(std::uint32_t number, const key& name) {
    if (number < names_.size() && kept_[number]) return;
    if (number >= names_.size()) {
      names_.resize(number + 1);
      kept_.resize(number + 1, false);
    }
    kept_[number] = true;
    if constexpr (of_strings) {
      char* const bytes = chunk_for(name.size());
      std::copy(name.begin(), name.end(), bytes);
      names_[number] = {bytes, name.size()};
    } else {
      names_[number] = name;
    }
  }

  std::mutex mutex_;
  ids::id_map<key> map_;
  std::pmr::vector<key> names_;
  std::vector<bool> kept_;
  std::pmr::deque<std::pmr::vector<char>> chunks_;  // bytes of strings
  char* chunk_next_ = nullptr;
  std::size_t chunk_left_ = 0;
};

/// Dense ids are their own numbers.
template <>
class vertex_numbers<std::uint32_t> {
public:
  static constexpr bool are_ids = true;

  explicit vertex_numbers(std::pmr::memory_resource* /*memory*/) {}

  static void expect_valid(std::uint32_t id) {
    if (id < vertex_limit) return;
    throw input_error{"found id " + std::to_string(id) + ", expected ids of a dense dynamic graph to be below " +
                      std::to_string(vertex_limit)};
  }
  template <class NameOf, class Use>
  void number(std::size_t count, bool adds, NameOf name_of, Use use, unsigned threads) {
    constexpr std::size_t block = 8192;
    parallel_blocks(threads, count, block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t id = name_of(i);
        if (adds) expect_valid(id);
        use(i, id);
      }
    });
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t id) const noexcept { return id; }
  [[nodiscard]] std::uint32_t name(std::uint32_t number) const noexcept { return number; }
  [[nodiscard]] bool less(std::uint32_t a, std::uint32_t b) const noexcept { return a < b; }
  void save(byte_sink& /*to*/, const renumbering& /*now*/) const noexcept {}
  void load(byte_source& /*from*/) noexcept {}
};

}  // namespace copse::dynamics
