// dendrogram() on a GPU.
#pragma once
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/views.hpp>
#include <core/phase_times.hpp>

#include <cstdint>
#include <optional>

namespace copse::weighted {

/// Makes the dendrogram of `forest`, which must have at least one vertex, fewer edges than vertices, and a weight for each edge. Fills in
/// all but the time. Throws usage_error for 2^31 vertices and more.
void merge_on_gpu(coo_view<std::uint32_t> forest, const weights_view& weights, std::optional<double> top, const execution& on,
                  dendrogram_result& result, phase_times& times);

inline void merge_on_gpu(coo_view<std::uint64_t> /*forest*/, const weights_view& /*weights*/, std::optional<double> /*top*/,
                         const execution& /*on*/, dendrogram_result& /*result*/, phase_times& /*times*/) {
  throw usage_error{"cuda: a dendrogram on a GPU needs 32-bit ids, not 64-bit ids"};
}

}  // namespace copse::weighted
