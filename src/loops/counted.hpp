// Counting what loops do, for backends whose accessor counts (instruments/counting.hpp). For all others it compiles to nothing.
#pragma once
#include <copse/extend/host_device.hpp>

#include <cstdint>

namespace copse::backend {

/// Counts `arcs` arcs as read.
template <class Backend>
COPSE_HOST_DEVICE void inspected([[maybe_unused]] std::uint64_t arcs) noexcept {
  if constexpr (Backend::counts) Backend::template parents<std::uint32_t>::inspected(arcs);
}

/// A step that counts the arc that it is given, and its own loads.
template <class Backend, class Id, class Step>
auto counted(Step step) noexcept {
  if constexpr (Backend::counts) {
    return [step](Id u, Id v) {
      inspected<Backend>(1);
      return Backend::template parents<std::uint32_t>::call([&] { return step(u, v); });
    };
  } else {
    return step;
  }
}

}  // namespace copse::backend
