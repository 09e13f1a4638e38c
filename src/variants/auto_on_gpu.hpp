// `auto` when the caller asks for a GPU.
#pragma once
#include <variants/choosers.hpp>

#include <cstdint>

namespace copse::variant {

/// A cuda variant that components and spanning forests both have: the fastest one for components also records its links.
choice on_gpu(graph_view g);
/// The same for sorted rows that store both directions of every edge.
choice on_gpu(std::uint64_t vertices, std::uint64_t arcs);

}  // namespace copse::variant
