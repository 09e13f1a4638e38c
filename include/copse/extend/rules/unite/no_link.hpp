// The callback of a unite whose links need not be recorded.
#pragma once
#include <copse/extend/host_device.hpp>

namespace copse::unite {

/// Every unite takes `on_link(root, parent)` and calls it once for each root that it made a child, from the thread whose swap won:
/// a spanning forest records its edge there.
struct no_link {
  template <class Id>
  COPSE_HOST_DEVICE void operator()(Id, Id) const noexcept {}
};

}  // namespace copse::unite
