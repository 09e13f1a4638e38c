// What benchmarks and tests ask of a GPU, and users of the library do not.
#pragma once
#include <copse/cuda.hpp>
#include <gpu/runtime/memory_rates.hpp>
#include <gpu/settings.hpp>

#include <cstdint>
#include <string_view>

namespace copse {

class benchmark_solver : public gpu_solver {
public:
  using memory_rates = backend::memory_rates;

  /// `techniques`: how variants go over a graph. Throws what gpu_solver throws.
  explicit benchmark_solver(const gpu_solver_options& options = {}, const execution& on = {}, const gpu_techniques& techniques = {});

  /// What this GPU's memory can do, measured in some 20 ms: bytes copied (read and written) a second, and 4-byte words fetched a second
  /// from random places of an array of `words`. Takes 2 GiB for that time, or half of what is free.
  [[nodiscard]] memory_rates measure_memory(std::uint32_t words);

  /// generate() for auto, but the rows are in the order that gen::unsorted_rows gives them by that seed.
  [[nodiscard]] read_rows generate_unsorted(std::string_view spec, std::uint64_t seed);
};

}  // namespace copse
