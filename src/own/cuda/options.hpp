// What our own path on a GPU may be told.
#pragma once

namespace copse::own {

struct gpu_ideas {
  float least_coverage = .25f;  ///< with fewer votes nobody is passed over
};

}  // namespace copse::own
