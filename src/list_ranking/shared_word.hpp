// Words that threads share. Relaxed: the words are read only after the loops that wrote them. On a GPU the loads go past the nearest cache,
// which would keep a whole line for one word.
#pragma once
#include <copse/extend/host_device.hpp>

#include <atomic>

namespace copse::list_ranking {

template <class T>
COPSE_HOST_DEVICE inline T shared_load(const T& from) noexcept {
#if defined(__CUDA_ARCH__)
  return __ldcg(&from);
#else
  return std::atomic_ref<T>{const_cast<T&>(from)}.load(std::memory_order_relaxed);
#endif
}

template <class T>
COPSE_HOST_DEVICE inline void shared_store(T& to, T value) noexcept {
#if defined(__CUDA_ARCH__)
  __stcg(&to, value);
#else
  std::atomic_ref<T>{to}.store(value, std::memory_order_relaxed);
#endif
}

}  // namespace copse::list_ranking
