// A machine of round numbers for what decides by rates: texts and choices are the same everywhere.
#pragma once
#include <copse/cuda.hpp>
#include <copse/plan.hpp>

#include <cstdint>
#include <vector>

namespace copse::test::fake {

constexpr std::uint64_t giga = 1'000'000'000;

inline std::vector<gpu_facts> gpus_with(const std::vector<std::uint64_t>& free_bytes) {
  std::vector<gpu_facts> all;
  for (const std::uint64_t bytes : free_bytes) all.push_back({static_cast<unsigned>(all.size()), "Some", 9, 0, 132, 150 * giga, bytes});
  return all;
}

/// A list of edges takes 10 ns each on the CPU wherever parents lie, rows 1 ns an arc; 0.3 s to start a GPU, a link of 10 GB/s.
inline machine_rates some_rates() {
  machine_rates rates;
  rates.near_seconds_per_edge = rates.far_seconds_per_edge = 10e-9;
  rates.row_seconds_per_arc = 1e-9;
  rates.gpu_start_seconds = 0.3;
  rates.link_bytes_per_second = 10e9;
  rates.gpu_seconds_per_edge = 0.1e-9;
  return rates;
}

}  // namespace copse::test::fake
