// Decides whether the integer ids of an input are signed. A 64-bit word with the top bit set is either a negative number or one above
// INT64_MAX, which only its reader knows. If an input has both, they could be the same word, so it is refused, with the places of the first
// id of each kind. A negative id may come at the very end: nothing depends on signs before, because numbers below 2^63 have the same order
// in both types.
#pragma once
#include <copse/errors.hpp>
#include <copse/graph.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

namespace copse::ids {

/// Collects the ids with the top bit set: negative ones, and large ones (above INT64_MAX). All functions except next_source() may be called
/// by any thread.
class id_signs {
public:
  /// `on_negative` is called once, before note() or expect() returns for any negative id.
  explicit id_signs(std::function<void()> on_negative = {}) : on_negative_{std::move(on_negative)} {}

  /// The offset to add to the block numbers of the next source, so that block numbers ascend from source to source.
  [[nodiscard]] std::uint64_t next_source() noexcept { return sources_++ << block_bits; }

  /// Notes the first id of a block that is negative, or the first one above INT64_MAX. `in_block` is its position in the block, and
  /// `place()` describes it as `file:line`. Only the first id of each kind in the input is kept.
  template <class Place>
  void note(std::uint64_t id, bool negative, std::uint64_t block, std::uint64_t in_block, Place place) {
    sighting& seen = seen_[negative ? 1 : 0];
    if (block >= seen.block.load(std::memory_order_acquire)) return;
    const std::lock_guard alone{guard_};
    if (block < seen.block.load(std::memory_order_relaxed)) keep(seen, id, block, in_block, place());
  }
  /// Throws input_error if both a negative id and one above INT64_MAX were noted.
  void expect_one_kind() const {
    const std::lock_guard alone{guard_};
    if (is_seen(seen_[0]) && is_seen(seen_[1])) refuse(seen_[seen_[0].is_behind(seen_[1]) ? 0 : 1]);
  }
  /// Notes a negative id, or one above INT64_MAX, if calls come in the order of the input. Throws input_error if an id of the other kind
  /// was noted before; this one is not noted then.
  template <class Place>
  void expect(std::uint64_t id, bool negative, Place place) {
    sighting& seen = seen_[negative ? 1 : 0];
    if (is_seen(seen)) return;
    const std::lock_guard alone{guard_};
    if (is_seen(seen)) return;
    check_alone(id, negative, place);
    keep(seen, id, 0, 0, place());
  }
  /// Throws input_error if an id of the other kind (negative, or above INT64_MAX) was noted before. Does not note this id.
  template <class Place>
  void check(std::uint64_t id, bool negative, Place place) const {
    const std::lock_guard alone{guard_};
    check_alone(id, negative, place);
  }
  /// True if a negative id (or one above INT64_MAX, if `negative` is false) was noted.
  [[nodiscard]] bool knows(bool negative) const noexcept { return is_seen(seen_[negative ? 1 : 0]); }
  [[nodiscard]] bool any_negative() const noexcept { return knows(true); }

private:
  static constexpr unsigned block_bits = 40;
  struct sighting {
    std::atomic<std::uint64_t> block{UINT64_MAX};
    std::uint64_t in_block = 0, id = 0;
    std::string place;

    [[nodiscard]] bool is_behind(const sighting& other) const noexcept {
      return block != other.block ? block > other.block : in_block > other.in_block;
    }
  };

  [[nodiscard]] static bool is_seen(const sighting& seen) noexcept { return seen.block.load(std::memory_order_acquire) != UINT64_MAX; }
  template <class Place>
  void check_alone(std::uint64_t id, bool negative, Place& place) const {
    if (!knows(!negative)) return;
    sighting refused;
    refused.id = id;
    refused.place = place();
    refuse(refused, negative);
  }
  void keep(sighting& seen, std::uint64_t id, std::uint64_t block, std::uint64_t in_block, std::string place) {
    if (&seen == &seen_[1] && !is_seen(seen) && on_negative_) on_negative_();
    seen.id = id;
    seen.in_block = in_block;
    seen.place = std::move(place);
    seen.block.store(block, std::memory_order_release);
  }
  /// Throws the error for an input with a negative id and one above INT64_MAX; `later` is the one that comes second in the input.
  [[noreturn]] void refuse(const sighting& later) const { refuse(later, &later == &seen_[1]); }
  [[noreturn]] void refuse(const sighting& later, bool negative) const {
    const sighting& first = seen_[negative ? 0 : 1];
    throw input_error::at(later.place, 0, "the id " + id_text(later.id, negative),
                          negative
                              ? "ids of 0 or more, as " + first.place + " has " + id_text(first.id, false) + ", which is above 2^63 - 1"
                              : "ids up to 9223372036854775807, as " + first.place + " has " + id_text(first.id, true));
  }

  std::function<void()> on_negative_;
  std::uint64_t sources_ = 0;
  mutable std::mutex guard_;
  std::array<sighting, 2> seen_;  ///< the first id above INT64_MAX, and the first negative one
};

}  // namespace copse::ids
