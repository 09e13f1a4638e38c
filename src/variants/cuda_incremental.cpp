#include <drivers/incremental/gpu_rule.hpp>
#include <variants/axes.hpp>
#include <variants/cuda_incremental.hpp>

namespace copse::variant {

drivers::gpu_rule cuda_rule_of(std::size_t finish) {
  if (finish_entries[finish].traits.fast_path) return drivers::past_giant_rule();
  const bool unites = finish < unite_count;
  return {.insert = unites ? cuda_insert_function(finish) : cuda_insert_in_rounds_function(finish - unite_count),
          .query = cuda_query_function(finish),
          .mixed = unites ? cuda_mix_function(finish) : nullptr,
          .state = nullptr};
}

}  // namespace copse::variant
