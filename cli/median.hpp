// The median of some samples: what every time that copse prints is.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace copse::cli {

/// Precondition: there is a sample.
inline double median(std::vector<double> samples) {
  std::ranges::sort(samples);
  const std::size_t n = samples.size();
  return n % 2 == 1 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
}

}  // namespace copse::cli
