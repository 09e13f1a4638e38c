// Pairs of 64-bit ids under the name of pairs of 32-bit ids: twice as many edges, and wrong ones.
#pragma once
#include <copse/errors.hpp>

#include <cstdint>
#include <string_view>

namespace copse::io {

/// Pairs of 64-bit ids that fit 32 bits look like pairs of 32-bit ids whose second one is always 0.
class wide_pairs {
public:
  void see(std::uint64_t u, std::uint64_t v) noexcept {
    zeros_only_ = zeros_only_ && v == 0;
    any_ = any_ || u != 0;
    ++pairs_;
  }
  /// May those that were seen still be such pairs?
  [[nodiscard]] bool possible() const noexcept { return zeros_only_; }
  /// Throws when all pairs of a file were seen and are such.
  void refuse(std::string_view file) const {
    constexpr std::uint64_t fewest = 4;
    if (!zeros_only_ || !any_ || pairs_ < fewest || pairs_ % 2 != 0) return;
    throw input_error::at(file, 0, "pairs whose second id is 0 in all of them, as pairs of 64-bit ids look",
                          "pairs of 32-bit ids (the option format coo64 reads the others)");
  }

private:
  bool zeros_only_ = true, any_ = false;
  std::uint64_t pairs_ = 0;
};

}  // namespace copse::io
