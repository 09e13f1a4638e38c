// `auto` where the caller wants a GPU.
#pragma once
#include <choose/choose.hpp>

namespace copse::choose {

/// A row of the backend cuda.
choice on_gpu(graph_view g);
/// One for a spanning forest (forest.cpp).
choice forest_on_gpu(graph_view g);

}  // namespace copse::choose
