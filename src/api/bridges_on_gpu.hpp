// bridges() on a GPU.
#pragma once
#include <copse/bridges.hpp>
#include <copse/graph.hpp>
#include <core/phase_times.hpp>

namespace copse::api {

/// `g`: checked, and it is known whether rows are symmetric; `result.report.threads` is set. Fills in all but the time. Throws usage_error
/// for 64-bit ids and in builds without the GPU part, resource_error.
void bridges_on_gpu(graph_view g, const vertex_names& names, const bridges_options& options, bridges_result& result, phase_times& times);

}  // namespace copse::api
