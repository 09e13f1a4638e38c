// `auto` where the caller wants a GPU.
#pragma once
#include <variants/choosers.hpp>

#include <cstdint>

namespace copse::variant {

/// A row of the backend cuda, which components and spanning forests both have: what joins fastest there notes its links.
choice on_gpu(graph_view g);
/// The same for rows that are sorted and store both directions of every edge.
choice on_gpu(std::uint64_t vertices, std::uint64_t arcs);

}  // namespace copse::variant
