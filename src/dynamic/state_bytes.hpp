// The bytes of a whole state, written and read in pieces, so that they need not be in memory at once.
//
// Little-endian columns follow each other without gaps; a piece may end within a value.
#pragma once
#include <copse/errors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse::dynamics {

class byte_sink {
public:
  static constexpr std::size_t piece_bytes = std::size_t{4} << 20;

  /// `take` is called with pieces of piece_bytes, and by finish() with the rest.
  explicit byte_sink(std::function<void(std::string_view)> take)
      : take_{std::move(take)}, held_{std::make_unique_for_overwrite<char[]>(piece_bytes)} {}

  [[nodiscard]] std::uint64_t size() const noexcept { return given_ + used_; }
  void bytes(std::string_view more) {
    while (!more.empty()) {
      const std::size_t fits = std::min(more.size(), piece_bytes - used_);
      std::memcpy(held_.get() + used_, more.data(), fits);
      used_ += fits;
      more.remove_prefix(fits);
      if (used_ == piece_bytes) finish();
    }
  }
  template <class T>
  void value(const T& one) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (sizeof one < piece_bytes - used_) {
      std::memcpy(held_.get() + used_, &one, sizeof one);
      used_ += sizeof one;
    } else {
      bytes({reinterpret_cast<const char*>(&one), sizeof one});
    }
  }
  void finish() {
    if (used_ == 0) return;
    take_({held_.get(), used_});
    given_ += used_;
    used_ = 0;
  }

private:
  std::function<void(std::string_view)> take_;
  std::unique_ptr<char[]> held_;
  std::size_t used_ = 0;
  std::uint64_t given_ = 0;
};

/// Reads values from pieces; throws input_error if the bytes end too early.
class byte_source {
public:
  /// `next` returns the next piece, which is valid until its next call, and an empty one at the end.
  explicit byte_source(std::function<std::string_view()> next) : next_{std::move(next)} {}

  [[nodiscard]] std::uint64_t read() const noexcept { return taken_ - left_.size(); }
  void bytes(char* to, std::size_t count) {
    while (count != 0) {
      need();
      const std::size_t fits = std::min(count, left_.size());
      std::memcpy(to, left_.data(), fits);
      left_.remove_prefix(fits);
      to += fits;
      count -= fits;
    }
  }
  template <class T>
  T value() {
    T found;
    if (left_.size() >= sizeof found) {
      std::memcpy(&found, left_.data(), sizeof found);
      left_.remove_prefix(sizeof found);
    } else {
      bytes(reinterpret_cast<char*>(&found), sizeof found);
    }
    return found;
  }
  void expect_end() {
    if (left_.empty()) take();
    if (!left_.empty()) throw input_error{"found bytes behind the state of a dynamic graph, expected its end"};
  }

private:
  void take() {
    left_ = next_();
    taken_ += left_.size();
  }
  void need() {
    if (left_.empty()) take();
    if (left_.empty()) throw input_error{"found the state of a dynamic graph that ends too early, expected all of it"};
  }

  std::function<std::string_view()> next_;
  std::string_view left_;
  std::uint64_t taken_ = 0;
};

/// The numbers of vertices in what is written: either their own, or new ones without gaps, in the same order, for those that are kept.
class renumbering {
public:
  static constexpr std::uint32_t left_out = 0xFFFFFFFF;

  renumbering() = default;  ///< every vertex keeps its number
  /// Gives new numbers to the vertices v < slots for which keeps(v) is true; the others are left out.
  template <class Keeps>
  renumbering(std::uint32_t slots, Keeps keeps) : is_identity_{false}, now_(slots, left_out) {
    for (std::uint32_t v = 0; v < slots; ++v)
      if (keeps(v)) now_[v] = count_++;
  }
  /// Returns the number that is written for vertex v: left_out if v is left out, or if it is itself the value left_out.
  [[nodiscard]] std::uint32_t operator()(std::uint32_t v) const noexcept { return is_identity_ || v == left_out ? v : now_[v]; }
  [[nodiscard]] std::uint32_t count(std::uint32_t slots) const noexcept { return is_identity_ ? slots : count_; }
  /// Calls visit(v) for the vertices v < slots that are not left out, in their order.
  template <class Visit>
  void for_each(std::uint32_t slots, Visit visit) const {
    for (std::uint32_t v = 0; v < slots; ++v)
      if (is_identity_ || now_[v] != left_out) visit(v);
  }

private:
  bool is_identity_ = true;
  std::vector<std::uint32_t> now_;
  std::uint32_t count_ = 0;
};

}  // namespace copse::dynamics
