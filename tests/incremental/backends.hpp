// Tests of all variants of incremental connectivity, where a backend may have no device.
#pragma once
#include <gtest/gtest.h>
#include <copse/cuda.hpp>
#include <copse/incremental.hpp>

#include <vector>

namespace copse::test {

inline bool has_device_of(const variant_info& variant) {
  static const bool any_gpu = !gpus().empty();
  return variant.backend != "cuda" || any_gpu;
}

/// First in a test of one variant.
#define COPSE_NEEDS_ITS_DEVICE(variant) \
  if (!copse::test::has_device_of(variant)) GTEST_SKIP() << "no GPU on this machine: run tests/gpu/on_device.sh where there is one"

/// The variants of incremental connectivity that this machine can run.
inline std::vector<variant_info> variants_that_run() {
  std::vector<variant_info> able;
  for (const auto& variant : variants(problem_kind::incremental)) {
    if (has_device_of(variant)) able.push_back(variant);
  }
  return able;
}

}  // namespace copse::test
