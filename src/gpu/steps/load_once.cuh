// How a kernel reads data that none of its threads writes: by plain loads, or by loads with a hint that the data is read only once. The L2
// cache evicts such lines first, so that parents stay in it.
#pragma once
#include <copse/extend/host_device.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

struct plain_load {
  template <class Word>
  COPSE_HOST_DEVICE Word operator()(const Word* from) const {
    return *from;
  }
};

/// Loads a word that is read once, with the hint that the L2 cache should evict it first. It is a plain load on GPUs before capability 8.0.
struct load_once {
  template <class Word>
  __device__ Word operator()(const Word* from) const {
    static_assert(sizeof(Word) == 4 || sizeof(Word) == 8);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    if constexpr (sizeof(Word) == 4) {
      std::uint32_t word;
      asm("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(word) : "l"(from), "l"(policy));
      return static_cast<Word>(word);
    } else {
      std::uint64_t word;
      asm("ld.global.L2::cache_hint.u64 %0, [%1], %2;" : "=l"(word) : "l"(from), "l"(policy));
      return static_cast<Word>(word);
    }
#else
    return *from;
#endif
  }
};

/// An array that is read by loads of one kind, plain_load or load_once.
template <class Load, class Word>
struct loaded_array {
  const Word* words;
  __device__ Word operator[](std::size_t at) const { return Load{}(words + at); }
};

}  // namespace copse::backend
