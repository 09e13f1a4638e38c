// Parents for a single thread: ordinary loads and stores.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

namespace copse::parents {

template <unsigned_index Id>
class plain : public id_words<Id> {
public:
  explicit plain(Id* words) noexcept : words_{words} {}

  COPSE_HOST_DEVICE Id load(Id v) const noexcept { return words_[v]; }
  COPSE_HOST_DEVICE void store(Id v, Id w) const noexcept { words_[v] = w; }
  COPSE_HOST_DEVICE cas_result<Id> cas(Id v, Id expected, Id desired) const noexcept {
    const Id seen = words_[v];
    if (seen != expected) return {false, seen};
    words_[v] = desired;
    return {true, seen};
  }
  COPSE_HOST_DEVICE Id fetch_min(Id v, Id w) const noexcept {
    const Id seen = words_[v];
    if (w < seen) words_[v] = w;
    return seen;
  }
  void prefetch(Id v) const noexcept { __builtin_prefetch(words_ + v); }

private:
  Id* words_;
};

}  // namespace copse::parents
