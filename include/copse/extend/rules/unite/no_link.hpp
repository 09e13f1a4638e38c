// The callback of a unite whose links need not be recorded.
#pragma once
#include <copse/extend/host_device.hpp>

namespace copse::unite {

/// The default `on_link` of unite rules, which does nothing. A rule calls on_link(root, parent) once for each root to which it gave a
/// parent, on the thread whose swap did this; solves for spanning forests record the edge there.
struct no_link {
  template <class Id>
  COPSE_HOST_DEVICE void operator()(Id, Id) const noexcept {}
};

}  // namespace copse::unite
