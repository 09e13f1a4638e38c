// `auto` where the caller wants a GPU.
#pragma once
#include <choose/choose.hpp>

namespace copse::choose {

/// A row of the backend cuda, which components and spanning forests both have: what joins fastest there notes its links.
choice on_gpu(graph_view g);

}  // namespace copse::choose
