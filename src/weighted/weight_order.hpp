// The order of weights as an order of integers. Every kind of weight, 32 or 64 bits wide, becomes an unsigned key that compares as the
// weight does: the bits of negative floats are flipped, those of unsigned integers have their top bit turned, and a maximum forest reverses
// all. What the algorithms carry about is the *prefix*: 32 bits of the distance to the smallest key, as many of its upper ones as there is
// room for. Equal prefixes are compared by keys, unless the prefix is the whole key.
// One type for each width, not for each kind of weight: the kind is in a few masks.
#pragma once
#include <copse/weighted_forest.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>

namespace copse::weighted {

template <unsigned_index Word>
class weight_order {
public:
  using signed_word = std::make_signed_t<Word>;

  /// Keeps a pointer to the weights, which are as wide as Word. all_numbers() must hold before anything is compared.
  template <class Weight>
  weight_order(std::span<const Weight> weights, forest_goal goal) noexcept : first_{reinterpret_cast<const char*>(weights.data())} {
    static_assert(sizeof(Weight) == sizeof(Word));
    if constexpr (std::is_floating_point_v<Weight>) {
      flipped_ = ~top;
      minus_zero_ = top;
      minus_zero_is_ = 0;
      infinity_ = static_cast<signed_word>(std::bit_cast<Word>(std::numeric_limits<Weight>::infinity()));
    }
    if constexpr (std::is_unsigned_v<Weight>) turned_ = top;
    if (goal == forest_goal::maximum) turned_ ^= ~Word{0};
    reversed_ = goal == forest_goal::maximum;
  }

  /// Looks at all weights once: prefixes need to know the smallest and the largest. The first that is not a number, if there is one.
  template <class Backend>
  std::optional<std::size_t> survey(const Backend& loops, std::size_t count) {
    signed_word low = std::numeric_limits<signed_word>::max(), high = std::numeric_limits<signed_word>::min();
    std::mutex guard;
    loops.for_blocks(count, [&, this](std::size_t begin, std::size_t end) {
      const weight_order own = *this;
      signed_word block_low = std::numeric_limits<signed_word>::max(), block_high = std::numeric_limits<signed_word>::min();
      for (std::size_t i = begin; i < end; ++i) {
        const signed_word k = own.key(i);
        block_low = std::min(block_low, k);
        block_high = std::max(block_high, k);
      }
      const std::lock_guard lock{guard};
      low = std::min(low, block_low);
      high = std::max(high, block_high);
    });
    if (count == 0) return std::nullopt;
    if (!is_number(low) || !is_number(high)) {
      std::size_t i = 0;
      while (is_number(key(i))) ++i;
      return i;
    }
    low_ = low;
    const Word range = static_cast<Word>(high) - static_cast<Word>(low);
    prefix_bits_ = std::min(32u, static_cast<unsigned>(std::bit_width(range)));
    shift_ = static_cast<unsigned>(std::bit_width(range)) - prefix_bits_;
    return std::nullopt;
  }

  [[nodiscard]] std::uint32_t prefix(std::size_t i) const noexcept {
    return static_cast<std::uint32_t>((static_cast<Word>(key(i)) - static_cast<Word>(low_)) >> shift_);
  }
  [[nodiscard]] signed_word key(std::size_t i) const noexcept {
    Word bits;
    std::memcpy(&bits, first_ + i * sizeof(Word), sizeof bits);
    bits = bits == minus_zero_ ? minus_zero_is_ : bits;
    const Word negative = static_cast<Word>(static_cast<signed_word>(bits) >> (std::numeric_limits<Word>::digits - 1));
    return static_cast<signed_word>(bits ^ (negative & flipped_) ^ turned_);
  }
  /// Are edges of equal prefix of equal weight?
  [[nodiscard]] bool prefix_is_exact() const noexcept { return shift_ == 0; }
  /// Bits that a prefix has at most.
  [[nodiscard]] unsigned prefix_bits() const noexcept { return prefix_bits_; }

private:
  static constexpr Word top = Word{1} << (std::numeric_limits<Word>::digits - 1);

  /// Not-a-number has the exponent of infinity and more: it lies beyond infinity on either side.
  [[nodiscard]] bool is_number(signed_word k) const noexcept {
    if (flipped_ == 0) return true;
    const signed_word plain = reversed_ ? static_cast<signed_word>(~k) : k;
    const signed_word minus = static_cast<signed_word>(~infinity_);
    return plain <= infinity_ && plain >= minus;
  }

  const char* first_;
  Word flipped_ = 0, turned_ = 0;
  Word minus_zero_ = 1, minus_zero_is_ = 1;  // -0 is 0; of integers, 1 is 1
  signed_word infinity_ = 0, low_ = 0;
  unsigned shift_ = 0, prefix_bits_ = 0;
  bool reversed_ = false;
};

}  // namespace copse::weighted
