// Loads of what a kernel passes by once: the L2 cache gives up those lines first, so that what the kernel leaves for the next one stays.
#pragma once
#include <cstdint>

namespace copse::backend {

/// *from. As other loads where the GPU knows no such hint.
template <class Word>
__device__ Word load_once(const Word* from) {
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

}  // namespace copse::backend
