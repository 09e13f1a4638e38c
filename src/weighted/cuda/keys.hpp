// Converts weights to the keys that a search on a GPU compares.
#pragma once
#include <copse/memory.hpp>
#include <copse/weighted_forest.hpp>

#include <cstdint>

namespace copse::backend {
class cuda;
}  // namespace copse::backend

namespace copse::weighted {

/// Returns a key for each weight, both in the memory of the GPU: keys compare as the weights do, and in reverse for a maximum. They are in
/// `room`, which grows to hold them; unsigned weights of 32 bits are their own keys for a minimum. Weights of 32 bits take one pass.
/// Weights of 64 bits are sorted, and the key is their rank among the distinct ones; the sort takes 28 bytes per weight. Throws input_error
/// for a weight that is NaN, with its position. Precondition: fewer than 2^32 weights.
const std::uint32_t* keys_on_gpu(const backend::cuda& loops, const weights_view& on_device, forest_goal goal, buffer<std::uint32_t>& room);

}  // namespace copse::weighted
