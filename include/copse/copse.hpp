// copse: graph connectivity. This header is all a user needs; the others are for those who extend it.
#pragma once
#include <copse/components.hpp>
#include <copse/core/error.hpp>
#include <copse/core/gpus.hpp>
#include <copse/core/observer.hpp>
#include <copse/euler_tour.hpp>
#include <copse/gen/generate.hpp>
#include <copse/gen/lists.hpp>
#include <copse/gpu_incremental.hpp>
#include <copse/gpu_solver.hpp>
#include <copse/graph/build.hpp>
#include <copse/graph/graph.hpp>
#include <copse/incremental.hpp>
#include <copse/io/lists.hpp>
#include <copse/io/read.hpp>
#include <copse/io/write.hpp>
#include <copse/labelling.hpp>
#include <copse/list_ranking.hpp>
#include <copse/live_stream.hpp>
#include <copse/registry/hybrid.hpp>
#include <copse/registry/variants.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/verify.hpp>
#include <copse/verify_ranks.hpp>

namespace copse {

using io::read_graph;

}  // namespace copse
