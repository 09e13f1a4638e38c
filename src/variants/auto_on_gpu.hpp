// Choosers when the caller asks for a GPU.
#pragma once
#include <copse/variants.hpp>
#include <loops/row_sample.hpp>
#include <variants/choosers.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace copse::variant {

/// What the chooser of that name picks for a graph in host memory.
choice on_gpu(std::string_view chooser, graph_view in_host_memory, std::uint64_t seed, problem_kind problem = problem_kind::components);

/// `auto`, which asks for sizes, and for a sample of the rows where somebody could look at them. A spanning forest stays with the fast
/// path, which records its links at less cost than the variants of the table.
choice on_gpu(graph_view g, const std::optional<backend::row_sample>& sample = std::nullopt,
              problem_kind problem = problem_kind::components);
/// The same for sorted rows that store both directions of every edge.
choice on_gpu(std::uint64_t vertices, std::uint64_t arcs);

}  // namespace copse::variant
